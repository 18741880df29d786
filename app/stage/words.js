// Numbers as they are written on the stage.
import { number as written } from "../components/shared/number.js";

/** Write a number with a fixed number of decimals. @param {number} value @param {number} digits */
export function number(value, digits = 2) {
  return written(value, digits);
}

/** Write a number in brackets if it is negative. @param {number} value */
export function factor(value) {
  return value < 0 ? `(${number(value)})` : number(value);
}

/** Write a whole number with its thousands apart. @param {number} value */
export function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
