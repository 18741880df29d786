// Texts and numbers: as they are sent, as they are written, and how wide they are when drawn.

/** Numbers from base64, without a call for each byte: a board has many. */
export function decode(text, Type) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return new Type(bytes.buffer);
}

/** Put values into "{name}" marks in one pass: a token "{key}" stays what it is. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (mark, name) => values[name] ?? mark);
}

export function fixed(value, digits) {
  const number = value.toFixed(digits);
  return Number(number) === 0 ? (0).toFixed(digits) : number.replace("-", "−");
}

/** The three largest, as "name 0.25 · …". */
export function largest(values, names) {
  return values
    .map((value, i) => [value, names[i]])
    .sort((a, b) => b[0] - a[0])
    .slice(0, 3)
    .map(([value, name]) => `${name} ${value.toFixed(2)}`)
    .join(" · ");
}

const ruler = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

export function textWidth(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

export function widest(labels, font) {
  return Math.max(0, ...labels.map((label) => textWidth(label, font)));
}
