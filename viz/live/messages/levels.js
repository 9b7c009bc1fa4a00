/** The byte that stands for a weight of 1. */
export const LEVELS = 255;

/**
 * Round to the nearest whole number, and a half to the even one, as numpy does.
 * @param {number} value The number.
 * @returns {number} The whole number.
 */
export function rint(value) {
  const nearest = Math.round(value);
  return nearest - value === 0.5 && nearest % 2 ? nearest - 1 : nearest;
}
