/** Joins texts into sentences: each begins with a capital letter and ends with a period. Skips missing and empty texts. */
export const sentences = (...texts: readonly (string | undefined)[]): string =>
  texts
    .map((text) => text?.trim() ?? '')
    .filter((text) => text !== '')
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`)
    .join(' ')
