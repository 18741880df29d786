// Base 85, in which the data of a book are written, with a comma for its "<".
const LETTERS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
const DIGITS = new Map([...LETTERS].map((letter, digit) => [letter, digit]));

/** Return the bytes of a text: four for each five letters. @param {string} text */
export function bytesOf(text) {
  const bytes = new Uint8Array(Math.ceil(text.length / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 5) {
    let group = 0;
    for (let i = at; i < at + 5; i++) group = group * 85 + (DIGITS.get(text[i]) ?? 84);
    view.setUint32((at / 5) * 4, group);
  }
  return bytes.subarray(0, Math.floor((text.length * 4) / 5));
}
