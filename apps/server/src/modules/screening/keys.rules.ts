/** Combining marks, such as accents after a decomposition, and apostrophes, which are written or omitted. */
const OMITTED = /[\p{M}'’ʼ`]/gu
const SEPARATOR = /[^\p{L}\p{N}]+/u

/**
 * Returns the words of a name in a form for exact comparison: without case, accents, apostrophes and order. Another script or spelling is
 * another name.
 * @returns sorted words with spaces between them; empty for a name without letters and digits
 */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(OMITTED, '')
    // Upper case first, because it expands letters such as ß.
    .toUpperCase()
    .toLowerCase()
    .split(SEPARATOR)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ')

/** Returns an address in a form for exact comparison. The case of a hex address is only a checksum. */
export const screeningAddressKey = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)
