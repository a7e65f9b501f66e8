/** What turns, hides or breaks text on the screen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu

/** What somebody wrote, in one line as it stands: signs that turn, hide or break it are shown as their numbers. */
export const plain = (text: string): string =>
  text.replace(UNSEEN, (sign) =>
    sign === '\u{200D}' ? sign : `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
