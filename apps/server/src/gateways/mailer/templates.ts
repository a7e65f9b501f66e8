import { isPersonName } from '@tizara/contract/text'
import type { Config } from '../../platform/config/config.ts'
import { layOutMail, type MailBlock, type MailFact, oneLine } from './mail-layout.ts'

/**
 * The mails there are, and what each needs. Texts name the brand of the configuration (GN-10). A mail to an address that
 * nobody has proved carries nothing that somebody typed: else whoever registers it writes to its owner.
 */
export interface MailTemplates {
  /** After sign-up and on request: a code and a link (GN-09). */
  verification: { code: string; token: string }
  /** After a sign-up for an address that another, unfinished registration holds. */
  anotherRegistration: { token: string }
  /** The way back in. */
  reset: { name: string; token: string }
  passwordChanged: { name: string; at: string; how: 'reset' | 'change' }
  newDevice: { name: string; device: string; ip: string; at: string }
  secondFactor: { name: string; on: boolean; at: string }
  /** At each step of money that leaves the house. */
  payout: { name: string; step: PayoutStep; amount: string; address: string; at: string; until: string; token: string }
  /** An address that entered the book: whether it waits for its owner. */
  payoutAddress: { name: string; address: string; waits: boolean; at: string; token: string }
  /** Money that came in; its receiver can switch these off by the token. */
  moneyIn: { name: string; title: string; lines: string[]; token: string }
  /** Anything else worth a mail: a title and plain sentences. */
  notice: { name: string; title: string; lines: string[] }
}

/** What became of a payout. */
export type PayoutStep = 'waiting' | 'asked' | 'confirmed' | 'approved' | 'paid' | 'returned' | 'cancelled' | 'expired' | 'stopped'

const BACK = 'and its money put back into your wallet'
const PAYOUT: Record<PayoutStep, { subject: string; said: string }> = {
  waiting: { subject: 'please confirm a payout', said: 'somebody who was signed in to your account asked for a payout' },
  asked: { subject: 'a payout was asked for', said: 'somebody who was signed in to your account asked for a payout' },
  confirmed: { subject: 'a payout was confirmed', said: 'a payout from your account was confirmed' },
  approved: { subject: 'a payout was approved', said: 'a payout from your account was approved' },
  paid: { subject: 'a payout was paid', said: 'a payout from your account was paid' },
  returned: { subject: 'a payout was rejected', said: `a payout was rejected ${BACK}` },
  cancelled: { subject: 'a payout was cancelled', said: `a payout was cancelled ${BACK}` },
  expired: { subject: 'a payout was not confirmed', said: `a payout was not confirmed in time ${BACK}` },
  stopped: { subject: 'your payouts are stopped', said: `a payout was stopped ${BACK}` },
}

export type MailTemplate = keyof MailTemplates

interface Words {
  subject: string
  lines: string[]
  /** Figures below the first line. */
  facts?: MailFact[]
  code?: string
  link?: { label: string; url: string }
  /** Where a mail program switches such mails off (RFC 8058). */
  unsubscribe?: string
}

/** What mails take from the settings. */
export type Brand = Pick<Config, 'brandName' | 'publicUrl' | 'codeMinutes' | 'verifyLinkHours' | 'resetLinkMinutes' | 'mailTexts'>

const count = (many: number, unit: string) => `${many} ${unit}${many === 1 ? '' : 's'}`

/** What the operator wrote for a mail, where they may. */
const wordsOf = (brand: Brand, template: MailTemplate) =>
  template === 'verification' || template === 'anotherRegistration' || template === 'reset' ? brand.mailTexts[template] : undefined

/** Whether the operator gave a mail words of their own. */
export const hasOwnWords = (brand: Brand, template: MailTemplate): boolean => wordsOf(brand, template) !== undefined

/** The operator's words for a mail: what they leave out stays ours, as do code and link. */
function ownWords(brand: Brand, template: MailTemplate): Partial<Words> {
  const own = wordsOf(brand, template)
  const filled: Readonly<Record<string, string>> = {
    brand: brand.brandName,
    minutes: String(template === 'reset' ? brand.resetLinkMinutes : brand.codeMinutes),
    hours: String(brand.verifyLinkHours),
  }
  const fill = (text: string) => text.replaceAll(/\{(brand|minutes|hours)\}/g, (_, name: string) => filled[name] ?? '')
  return {
    ...(own?.subject === undefined ? {} : { subject: fill(own.subject) }),
    ...(own?.lines === undefined ? {} : { lines: own.lines.map(fill) }),
  }
}

const STOP =
  'Whoever stops payouts is asked for a new password through "Forgot password"; until then nothing leaves the account. If you did this yourself, there is nothing else to do.'

/** The token stands behind the #: it reaches neither a server nor its log before the page sends it. */
const payoutLink = (brand: Brand, label: string, token: string) => ({
  label,
  url: `${brand.publicUrl}/payout#${encodeURIComponent(token)}`,
})

const readers: { [T in MailTemplate]: (brand: Brand, data: MailTemplates[T]) => Words } = {
  verification: (brand, data) => ({
    subject: `${brand.brandName}: confirm your registration`,
    lines: [
      'Please confirm that this address is yours. Your code is:',
      `It is valid for ${count(brand.codeMinutes, 'minute')}. Or use the button, which is valid for ${count(brand.verifyLinkHours, 'hour')}:`,
      'If you did not register, you can ignore this mail.',
    ],
    code: data.code,
    link: { label: 'Confirm my address', url: `${brand.publicUrl}/auth/verify?token=${encodeURIComponent(data.token)}` },
  }),
  anotherRegistration: (brand, data) => ({
    subject: `${brand.brandName}: confirm your registration`,
    lines: [
      `Someone signed up with your address before and did not finish. If this sign-up is yours, confirm it within ${count(brand.verifyLinkHours, 'hour')}. The earlier one is then cancelled.`,
      'If you did not register, you can ignore this mail.',
    ],
    link: { label: 'Confirm my address', url: `${brand.publicUrl}/auth/verify?token=${encodeURIComponent(data.token)}` },
  }),
  reset: (brand, data) => ({
    subject: `${brand.brandName}: choose a new password`,
    lines: [
      `Someone asked for a new password for your account. Choose it with the button, which is valid for ${count(brand.resetLinkMinutes, 'minute')} and works once:`,
      'If that was not you, you can ignore this mail: your password stays as it is.',
    ],
    link: { label: 'Choose a new password', url: `${brand.publicUrl}/auth/reset-password?token=${encodeURIComponent(data.token)}` },
  }),
  passwordChanged: (brand, data) => ({
    subject: `${brand.brandName}: your password was changed`,
    lines: [
      data.how === 'reset'
        ? `Your password was changed through a mailed link on ${data.at}. All devices were signed out.`
        : `Your password was changed on ${data.at}. All other devices were signed out.`,
      'If that was not you, choose a new password at once and write to us.',
    ],
  }),
  newDevice: (brand, data) => ({
    subject: `${brand.brandName}: sign-in from a new device`,
    lines: [
      `Your account was used on ${data.at} from a device that we had not seen before: ${data.device}, address ${data.ip}.`,
      'If that was not you, change your password at once.',
    ],
  }),
  secondFactor: (brand, data) => ({
    subject: `${brand.brandName}: authenticator app ${data.on ? 'switched on' : 'switched off'}`,
    lines: [
      `On ${data.at} the authenticator app of your account was switched ${data.on ? 'on' : 'off'}.`,
      'If that was not you, change your password at once and write to us.',
    ],
  }),
  payout: (brand, data) => ({
    subject: `${brand.brandName}: ${PAYOUT[data.step].subject}`,
    lines: [
      data.step === 'waiting'
        ? `On ${data.at} ${PAYOUT.waiting.said}: ${data.amount} to ${data.address}. It waits for you until ${data.until}: compare the whole address, then confirm it, or stop it:`
        : `On ${data.at} ${PAYOUT[data.step].said}: ${data.amount} to ${data.address}. If you know nothing of it, stop it and all other payouts here:`,
      STOP,
    ],
    facts: [
      ['Amount', data.amount],
      ['To', data.address],
    ],
    link: payoutLink(brand, data.step === 'waiting' ? 'Confirm or stop this payout' : 'This was not me', data.token),
  }),
  payoutAddress: (brand, data) => ({
    subject: `${brand.brandName}: a new payout address`,
    lines: [
      data.waits
        ? `On ${data.at} somebody who was signed in to your account put this address into your address book: ${data.address}. It waits for you: compare the whole address, then confirm it, or stop it:`
        : `On ${data.at} this address was put into your address book: ${data.address}. If you know nothing of it, take it out and stop all payouts here:`,
      STOP,
    ],
    facts: [['Address', data.address]],
    link: payoutLink(brand, data.waits ? 'Confirm or stop this address' : 'This was not me', data.token),
  }),
  moneyIn: (brand, data) => ({
    subject: `${brand.brandName}: ${data.title}`,
    lines: [...data.lines, 'Your statement has every movement. Which of these mails you get is your choice, in your profile.'],
    unsubscribe: `${brand.publicUrl}/api/v1/notices/unsubscribe?token=${encodeURIComponent(data.token)}`,
  }),
  notice: (brand, data) => ({ subject: `${brand.brandName}: ${data.title}`, lines: data.lines }),
}

/**
 * Writes a mail.
 * @param brand brand name, and the address that links start with
 */
export function renderMail<T extends MailTemplate>(
  brand: Brand,
  template: T,
  data: MailTemplates[T],
): { subject: string; text: string; html: string; unsubscribe?: string } {
  const words = { ...readers[template](brand, data), ...ownWords(brand, template) }
  const subject = oneLine(words.subject)
  const greeting = 'name' in data && isPersonName(data.name) ? `Hello ${data.name},` : 'Hello,'
  const blocks: MailBlock[] = [{ kind: 'text', text: greeting }]
  for (const [index, text] of words.lines.entries()) {
    blocks.push({ kind: 'text', text })
    if (index === 0 && words.facts !== undefined) blocks.push({ kind: 'facts', rows: words.facts })
    if (index === 0 && words.code !== undefined) blocks.push({ kind: 'code', code: words.code })
    if (words.link !== undefined && index === (words.code === undefined ? 0 : 1)) blocks.push({ kind: 'button', ...words.link })
  }
  const mail = layOutMail(brand.brandName, subject, blocks)
  return { subject, ...mail, ...(words.unsubscribe === undefined ? {} : { unsubscribe: words.unsubscribe }) }
}
