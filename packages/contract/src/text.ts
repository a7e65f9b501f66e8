/**
 * What people type, as far as it may deceive the eye or the program that shows it
 * (docs/decisions/0011-one-form-of-an-address.md).
 */

/** Control characters other than tab, line feed and carriage return. */
// eslint-disable-next-line no-control-regex -- control characters are what is refused (ASVS 1.3.3)
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
/** Characters that turn the direction of what follows, so that a text reads otherwise than it is. */
export const TURNING = /[\u202a-\u202e\u2066-\u2069]/g
/** Whether a text orders no terminal about and turns no line. */
export const isPlain = (text: string): boolean => !CONTROL.test(text) && text.search(TURNING) < 0

// eslint-disable-next-line no-control-regex -- control characters are what is taken out
const ORDERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu
/** For what leaves the house: a text with a mark for each character that orders about, turns the line or is half of one. */
export const withoutOrders = (text: string): string => text.replaceAll(ORDERS, '\ufffd')

/** Control, format, line and paragraph marks, private and lone halves, and letters without a shape. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]/u
/** What mail programs make a link of: a scheme, an at sign, or a dot with letters or digits on both sides. */
const LINK = /:\/\/|\/\/|@|[\p{L}\p{N}]\.\p{L}{2}|\d\.\d+\.\d|\bwww\b/iu

/** Whether a text has no characters that are not seen. */
export const isSeen = (text: string): boolean => !UNSEEN.test(text)

/** Whether a text could be a person's name: seen, with a letter or figure, and nothing that becomes a link. */
export function isPersonName(text: string): boolean {
  const folded = text.normalize('NFKC').replaceAll('\u3002', '.')
  return isSeen(text) && /[\p{L}\p{N}]/u.test(text) && !LINK.test(folded)
}

/**
 * Whether a text is an e-mail address in the one form that the house knows: plain ASCII, an unquoted local part, a domain
 * of labels. Everything else would be a second way to write the same mailbox, or a look-alike of another one.
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
