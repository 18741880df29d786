// Formatting of numbers as in app/format.py, in the language of the page.

const TRUE = 6; // significant decimal digits that a float32 always holds

/**
 * Write a number with `digits` decimals, or fewer if it is large; a number that would round to 0
 * shows its first significant digit, and 0 itself is 0.
 * @param {number} value @param {number} digits
 */
export function number(value, digits) {
  if (Math.abs(value) >= 10 ** TRUE) return short(value, TRUE);
  const whole = decimals(Math.abs(value), 0).length;
  const text = decimals(value, Math.min(digits, Math.max(0, TRUE - whole)));
  return Number(text) === 0 ? short(value, 1) : localized(text);
}

/**
 * Write a share of 1: only 1 itself is written as 1. @param {number} value @param {number} digits
 */
export function share(value, digits) {
  const almost = value < 1 && Number(decimals(value, digits)) >= 1;
  return almost ? localized(`>${(1 - 10 ** -digits).toFixed(digits)}`) : number(value, digits);
}

/**
 * Write a number with its sign, including a plus. @param {number} value @param {number} digits
 */
export function signed(value, digits) {
  return value > 0 ? `+${number(value, digits)}` : number(value, digits);
}

/**
 * Write a number in little room: as ≈0 if it would round to 0.
 * @param {number} value @param {number} digits
 */
export function inCell(value, digits, write = share) {
  return value !== 0 && Number(decimals(value, digits)) === 0 ? "≈0" : write(value, digits);
}

/**
 * Join numbers with commas, or with semicolons where the decimal mark is a comma.
 * @param {string[]} numbers
 */
export function listed(numbers) {
  return numbers.join(decimalMark() === "," ? "; " : ", ");
}

/**
 * Write a number with `digits` significant digits, or a whole number with all of its digits.
 * @param {number} value @param {number} digits
 */
export function short(value, digits) {
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return localized(String(value || 0));
  const [mantissa, exponent] = value
    .toExponential(digits - 1)
    .split("e")
    .map(Number);
  if (exponent >= -4 && exponent < digits)
    return localized(String(Number(value.toPrecision(digits))));
  return localized(`${mantissa}·10${[...String(exponent)].map((sign) => HIGH[sign]).join("")}`);
}

/** @type {Record<string, string>} */
const HIGH = Object.fromEntries([..."-0123456789"].map((sign, i) => [sign, "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"[i]]));

/**
 * Round as Python does: a tie goes to the even digit.
 * @param {number} value @param {number} digits
 */
function decimals(value, digits) {
  const exact = value.toFixed(digits + 40);
  const below = exact.slice(0, -40);
  const isTie = exact.endsWith(`5${"0".repeat(39)}`);
  return isTie && "02468".includes(below.slice(-1)) ? below : value.toFixed(digits);
}

/** @param {string} formatted */
function localized(formatted) {
  return formatted.replace("-", "−").replace(".", decimalMark());
}

/** @type {Record<string, string>} */
const marks = {}; // by language

function decimalMark() {
  const language = globalThis.document?.documentElement.lang || "en";
  marks[language] ??= (0.5).toLocaleString(language)[1];
  return marks[language];
}
