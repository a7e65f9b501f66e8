/** Characters that reorder, hide or break text on the screen. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu

/** Returns text on one line. Characters that reorder, hide or break text appear as code points. */
export const plain = (text: string): string =>
  text.replace(INVISIBLE, (sign) =>
    sign === '\u{200D}' ? sign : `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
