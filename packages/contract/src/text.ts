/** Checks text input that could deceive readers or programs (docs/decisions/0011-email-address-format.md). */

/** Control characters other than tab, line feed and carriage return. */
// eslint-disable-next-line no-control-regex -- matches control characters to reject them (ASVS 1.3.3)
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
/** Bidi control characters, which make text display in another order. */
export const TURNING = /[\u202a-\u202e\u2066-\u2069]/g
/** Returns true if a text has no control characters or bidi overrides. */
export const isPlain = (text: string): boolean => !CONTROL.test(text) && text.search(TURNING) < 0

// eslint-disable-next-line no-control-regex -- matches control characters to replace them
const ORDERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu
/** Replaces control characters, bidi overrides and lone surrogates in outgoing text by U+FFFD. */
export const withoutOrders = (text: string): string => text.replaceAll(ORDERS, '\ufffd')

/** Control, format, line and paragraph characters, private use, lone surrogates, and invisible letters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]/u
/** Patterns that email programs turn into links: a scheme, an at sign, or a dot between letters or digits. */
const LINK = /:\/\/|\/\/|@|[\p{L}\p{N}]\.\p{L}{2}|\d\.\d+\.\d|\bwww\b/iu

/** Returns true if a text has no invisible characters. */
export const isSeen = (text: string): boolean => !INVISIBLE.test(text)

/** Returns true for a possible name: visible, with a letter or digit, and without links. */
export function isPersonName(text: string): boolean {
  const folded = text.normalize('NFKC').replaceAll('\u3002', '.')
  return isSeen(text) && /[\p{L}\p{N}]/u.test(text) && !LINK.test(folded)
}

/**
 * Returns true for an email address in canonical form: plain ASCII, unquoted local part, domain with labels. Other forms could alias the
 * same mailbox or imitate another.
 * @param text trimmed, in lower case
 */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  return (
    at > 0 &&
    local.length <= 64 &&
    /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(domain)
  )
}
