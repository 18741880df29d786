// How numbers are written: the same forms as in app/format.py.

const LARGE = 1e15; // from here on, there are no decimals

/**
 * A number with so many decimals; what would look like 0 has its first digit, 0 itself is 0.
 * @param {number} value @param {number} digits
 */
export function number(value, digits) {
  if (Math.abs(value) >= LARGE) return short(value, 4);
  const text = decimals(value, digits);
  return Number(text) === 0 ? short(value, 1) : minus(text);
}

/**
 * A share of 1: only 1 itself is written as 1. @param {number} value @param {number} digits
 */
export function share(value, digits) {
  const almost = value < 1 && Number(decimals(value, digits)) >= 1;
  return almost ? `>${(1 - 10 ** -digits).toFixed(digits)}` : number(value, digits);
}

/**
 * A number with its sign, also a plus. @param {number} value @param {number} digits
 */
export function signed(value, digits) {
  return value > 0 ? `+${number(value, digits)}` : number(value, digits);
}

/**
 * Where there is no room for more: ≈0 where a number would look like 0.
 * @param {number} value @param {number} digits
 */
export function inCell(value, digits, write = share) {
  return value !== 0 && Number(decimals(value, digits)) === 0 ? "≈0" : write(value, digits);
}

/**
 * So many significant digits; a whole number has all of its digits.
 * @param {number} value @param {number} digits
 */
export function short(value, digits) {
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return minus(String(value || 0));
  const [mantissa, exponent] = value
    .toExponential(digits - 1)
    .split("e")
    .map(Number);
  if (exponent >= -4 && exponent < digits) return minus(String(Number(value.toPrecision(digits))));
  return minus(`${mantissa}·10${[...String(exponent)].map((sign) => HIGH[sign]).join("")}`);
}

/** @type {Record<string, string>} */
const HIGH = Object.fromEntries([..."-0123456789"].map((sign, i) => [sign, "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"[i]]));

/**
 * Rounded as Python does: of what lies in the middle, to the even digit.
 * @param {number} value @param {number} digits
 */
function decimals(value, digits) {
  const exact = value.toFixed(digits + 40);
  const below = exact.slice(0, -40);
  const isTie = exact.endsWith(`5${"0".repeat(39)}`);
  return isTie && "02468".includes(below.slice(-1)) ? below : value.toFixed(digits);
}

/** @param {string} written */
function minus(written) {
  return written.replace("-", "−");
}
