// Numbers as they are written on the stage.
import { number as written } from "../components/shared/number.js";

/** @param {number} value @param {number} digits */
export const number = (value, digits = 2) => written(value, digits);

/** Write a number in brackets if it is negative. @param {number} value */
export function factor(value) {
  return value < 0 ? `(${number(value)})` : number(value);
}

/** Write a whole number with its thousands apart. @param {number} value */
export const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
