import { noticeTexts, type NoticeText } from '@tizara/contract/notice-text'
import type { NoticeOf } from '@tizara/contract/notices'
import { isPersonName } from '@tizara/contract/text'
import type { Translate } from '@tizara/languages'
import type { Config } from '../../platform/config/config.ts'
import { layOutMail, type MailBlock, type MailFact, oneLine } from './mail-layout.ts'
import type { Units } from '@tizara/money'
import { type MailLanguage, mailLanguage, shownInMail } from './mail-words.ts'

/**
 * Mail templates and their data. Texts use the configured brand (GN-10). A mail to an unverified address carries no user input, as
 * anyone could register a foreign address.
 */
export interface MailTemplates {
  /** After sign-up and on request: a code and a link (GN-09). */
  verification: { code: string; token: string }
  /** After a sign-up for an address that another, unfinished registration holds. */
  anotherRegistration: { token: string }
  /** A code that completes a sign-in on a new device after many wrong passwords. */
  signInCode: { code: string }
  /** Password reset. */
  reset: { name: string; token: string }
  passwordChanged: { name: string; at: Date; how: 'reset' | 'change' }
  newDevice: { name: string; device: string; ip: string; at: Date }
  secondFactor: { name: string; on: boolean; at: Date }
  /** To a new address: the link that confirms it. */
  newEmail: { name: string; token: string; until: Date; isRecovery?: boolean }
  /** To the present address: the link that stops its change. */
  emailChange: { name: string; token: string; at: Date }
  /** To the present and earlier addresses: the link that stops the recovery of an account with another address. */
  recovery: { name: string; title: string; text: string; token: string }
  /** Each step of an outflow: a payout, or a transfer to another member. */
  payout: {
    name: string
    kind: OutflowKind
    step: PayoutStep
    amount: Units
    /** Unit of the amount. */
    unit: string
    address: string
    /** Initials of the receiver of a transfer. */
    receiver?: string | undefined
    isProven?: boolean
    at: Date
    until: Date
    token: string
  }
  /** A new payout address, and whether it awaits confirmation. */
  payoutAddress: { name: string; address: string; waits: boolean; at: Date; token: string }
  /** Incoming money or an answer of support. The token allows the recipient to unsubscribe. */
  moneyIn: { name: string; title: string; lines: string[]; token: string; answered?: boolean }
  /** A link that accepts the terms of use, after a refused money call. */
  terms: { name: string; token: string }
  /** Any other notice: a title and plain sentences. */
  notice: { name: string; title: string; lines: string[] }
}

export type OutflowKind = NoticeOf<'payout'>['facts']['outflow']
/** The step of an outflow that a mail is about. */
export type PayoutStep = NoticeOf<'payout'>['facts']['step']

/** Returns true if stopping at this step still returns the money. */
const isStoppable = ({ kind, step }: MailTemplates['payout']) =>
  step === 'waiting' || (kind !== 'transfer' && (step === 'asked' || step === 'confirmed'))

/** Returns the sentence about the link's remaining effect. */
function stopSentence(data: MailTemplates['payout'], { t, time }: MailLanguage): string {
  const outflow = data.kind
  if (data.step === 'waiting') {
    const until = time(data.until)
    return outflow === 'transfer'
      ? t('It needs your confirmation by {until}. Check the receiver and the amount, then confirm it, or stop it:', { until })
      : t('It needs your confirmation by {until}. Check every character of the address, then confirm it, or stop it:', { until })
  }
  if (isStoppable(data))
    return t('Not you? Stop this {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} and all others here:', {
      outflow,
    })
  if (data.step === 'asked' || data.step === 'confirmed' || data.step === 'approved' || data.step === 'paid')
    return t(
      'This {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} can no longer be stopped. Not you? Stop all others here:',
      { outflow },
    )
  return t('Not you? Stop everything that leaves your account here:')
}

export type MailTemplate = keyof MailTemplates

interface Words {
  subject: string
  lines: string[]
  /** Labels and values below the first line. */
  facts?: MailFact[]
  code?: string
  link?: { label: string; url: string }
  /** Index of the line above the link: by default the first line, or the one below the code. */
  linkAfter?: number
  /** Address for one-click unsubscribe (RFC 8058). */
  unsubscribe?: string
}

/** Settings used by mails. */
export type MailConfig = Pick<
  Config,
  'brand' | 'dataDir' | 'publicUrl' | 'codeMinutes' | 'verifyLinkHours' | 'resetLinkMinutes' | 'mailTexts'
>

/** Returns the operator's text for a template, if it is editable. */
const wordsOf = (config: MailConfig, template: MailTemplate) =>
  template === 'verification' || template === 'anotherRegistration' || template === 'reset' ? config.mailTexts[template] : undefined

/** Returns true if the operator customized this mail. */
export const hasOwnWords = (config: MailConfig, template: MailTemplate): boolean => wordsOf(config, template) !== undefined

/** Returns the operator's text for a mail. Missing parts, code and link keep the default. */
function operatorTexts(config: MailConfig, template: MailTemplate): Partial<Words> {
  const custom = wordsOf(config, template)
  const filled: Readonly<Record<string, string>> = {
    brand: config.brand.name,
    minutes: String(template === 'reset' ? config.resetLinkMinutes : config.codeMinutes),
    hours: String(config.verifyLinkHours),
  }
  const fill = (text: string) => text.replaceAll(/\{(brand|minutes|hours)\}/g, (_, name: string) => filled[name] ?? '')
  return {
    ...(custom?.subject === undefined ? {} : { subject: fill(custom.subject) }),
    ...(custom?.lines === undefined ? {} : { lines: custom.lines.map(fill) }),
  }
}

const stopAdvice = (t: Translate) =>
  t(
    'If you stop payouts, bridges and transfers to other members, they stay blocked until you set a new password with "Forgot password", and all devices are signed out. If you did this yourself, there is nothing else to do.',
  )

const keepAdvice = (t: Translate) =>
  t(
    'Stopping it keeps this address, signs out all devices, and stops payouts until you set a new password with "Forgot password". If you did this yourself, there is nothing else to do.',
  )

/** The token is in the fragment of the URL, so that it does not appear in server logs before the page sends it. */
const payoutLink = (config: MailConfig, label: string, token: string) => ({
  label,
  url: `${config.publicUrl}/payout#${encodeURIComponent(token)}`,
})

/** The token is in the fragment, as in {@link payoutLink}. */
const emailLink = (config: MailConfig, label: string, act: 'confirm' | 'recover' | 'stop', token: string) => ({
  label,
  url: `${config.publicUrl}/email-change#${act}:${encodeURIComponent(token)}`,
})

/** Builds a mail from the texts of a notification and a line of advice. */
const noticed = (config: MailConfig, { title, text }: NoticeText, advice: string): Words => ({
  subject: `${config.brand.name}: ${title}`,
  lines: [text, advice],
})

const readers: { [T in MailTemplate]: (config: MailConfig, data: MailTemplates[T], language: MailLanguage) => Words } = {
  verification: (config, data, { t }) => ({
    subject: `${config.brand.name}: ${t('confirm your registration')}`,
    lines: [
      t('Please confirm that this address is yours. Your code is:'),
      t(
        'It is valid for {minutes, plural, one {# minute} other {# minutes}}. Or use the button, which is valid for {hours, plural, one {# hour} other {# hours}}:',
        { minutes: config.codeMinutes, hours: config.verifyLinkHours },
      ),
      t('If you did not register, you can ignore this mail.'),
    ],
    code: data.code,
    link: { label: t('Confirm my address'), url: `${config.publicUrl}/auth/verify?token=${encodeURIComponent(data.token)}` },
  }),
  anotherRegistration: (config, data, { t }) => ({
    subject: `${config.brand.name}: ${t('confirm your registration')}`,
    lines: [
      t(
        'Someone signed up with your address before and did not finish. If this sign-up is yours, confirm it within {hours, plural, one {# hour} other {# hours}}. The earlier one is then cancelled.',
        { hours: config.verifyLinkHours },
      ),
      t('If you did not register, you can ignore this mail.'),
    ],
    link: { label: t('Confirm my address'), url: `${config.publicUrl}/auth/verify?token=${encodeURIComponent(data.token)}` },
  }),
  signInCode: (config, data, { t }) => ({
    subject: `${config.brand.name}: ${t('your sign-in code')}`,
    lines: [
      t('Your password was entered on a new device. Many wrong passwords were tried before, so the sign-in also needs this code:'),
      t('It is valid for {minutes, plural, one {# minute} other {# minutes}}.', { minutes: config.codeMinutes }),
      t('If that was not you, another person knows your password. Do not share the code, and set a new password with "Forgot password".'),
    ],
    code: data.code,
  }),
  reset: (config, data, { t }) => ({
    subject: `${config.brand.name}: ${t('choose a new password')}`,
    lines: [
      t(
        'Someone requested a new password for your account. Choose it with this button, which is valid for {minutes, plural, one {# minute} other {# minutes}} and works once:',
        { minutes: config.resetLinkMinutes },
      ),
      t('If that was not you, you can ignore this mail. Your password stays unchanged.'),
    ],
    link: { label: t('Choose a new password'), url: `${config.publicUrl}/auth/reset-password?token=${encodeURIComponent(data.token)}` },
  }),
  passwordChanged: (config, data, language) => {
    const { t } = language
    return noticed(
      config,
      noticeTexts.password(data, shownInMail(language, data.at)),
      t('If that was not you, choose a new password at once and contact us.'),
    )
  },
  newDevice: (config, data, language) => {
    const { t } = language
    return noticed(
      config,
      noticeTexts['sign-in'](data, shownInMail(language, data.at)),
      t('If that was not you, change your password at once.'),
    )
  },
  secondFactor: (config, data, language) => {
    const { t } = language
    return noticed(
      config,
      noticeTexts['second-factor']({ what: data.on ? 'app-on' : 'app-off' }, shownInMail(language, data.at)),
      t('If that was not you, change your password at once and contact us.'),
    )
  },
  payout: (config, data, language) => {
    const { t } = language
    const amount = language.amount(data.amount, data.unit)
    const { title, text } = noticeTexts.payout({ ...data, outflow: data.kind, request: '' }, shownInMail(language, data.at, amount))
    const label =
      data.step === 'waiting'
        ? t('Confirm or stop this {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}}', { outflow: data.kind })
        : t('This was not me')
    return {
      subject: `${config.brand.name}: ${title}`,
      lines: [`${text} ${stopSentence(data, language)}`, stopAdvice(t)],
      facts: [
        [t('Amount'), amount],
        ...(data.receiver === undefined ? [] : [[t('Receiver'), data.receiver] as const]),
        [t('To'), data.address],
        ...(data.isProven === true ? [[t('Address'), t('Proven in your address book')] as const] : []),
      ],
      link: payoutLink(config, label, data.token),
    }
  },
  newEmail: (config, data, { t, time }) => ({
    subject: `${config.brand.name}: ${t('confirm your new address')}`,
    lines: [
      data.isRecovery === true
        ? t('Confirm this address by {until}. Your account uses it when the waiting period of its recovery is over.', {
            until: time(data.until),
          })
        : t('Confirm by {until} that your account uses this address from now on. You then sign in with it.', { until: time(data.until) }),
      t('If you did not request this, you can ignore this mail.'),
    ],
    link: emailLink(config, t('Confirm this address'), data.isRecovery === true ? 'recover' : 'confirm', data.token),
  }),
  emailChange: (config, data, language) => {
    const { t } = language
    const { title, text } = noticeTexts.contact({ what: 'email-requested' }, shownInMail(language, data.at))
    return {
      subject: `${config.brand.name}: ${title}`,
      lines: [`${text} ${t('Not you? Stop it here within seven days, also after the change:')}`, keepAdvice(t)],
      link: emailLink(config, t('This was not me'), 'stop', data.token),
    }
  },
  recovery: (config, data, { t }) => ({
    subject: `${config.brand.name}: ${data.title}`,
    lines: [`${data.text} ${t('Or stop it here, until seven days after the recovery:')}`, keepAdvice(t)],
    link: emailLink(config, t('This was not me'), 'stop', data.token),
  }),
  payoutAddress: (config, data, language) => {
    const { t } = language
    const { title, text } = noticeTexts['payout-address'](data, shownInMail(language, data.at))
    const rest = data.waits
      ? t('It needs your confirmation: compare the whole address, then confirm or stop it:')
      : t('Not you? Remove it and stop all payouts here:')
    return {
      subject: `${config.brand.name}: ${title}`,
      lines: [`${text} ${rest}`, stopAdvice(t)],
      facts: [[t('Address'), data.address]],
      link: payoutLink(config, data.waits ? t('Confirm or stop this address') : t('This was not me'), data.token),
    }
  },
  moneyIn: (config, data, { t }) => ({
    subject: `${config.brand.name}: ${data.title}`,
    lines: [
      ...data.lines,
      `${data.answered === true ? '' : `${t('Your statement lists every movement.')} `}${t('You can choose these mails in your profile.')}`,
    ],
    link:
      data.answered === true
        ? { label: t('Open my tickets'), url: `${config.publicUrl}/support` }
        : { label: t('Open my activity'), url: `${config.publicUrl}/activity` },
    linkAfter: data.lines.length - 1,
    unsubscribe: `${config.publicUrl}/api/v1/notices/unsubscribe?token=${encodeURIComponent(data.token)}`,
  }),
  terms: (config, data, { t }) => ({
    subject: `${config.brand.name}: ${t('please accept our terms of use')}`,
    lines: [
      t(
        'A call that moves money was refused, because you have not accepted our terms of use. Read and accept them here, or in the app. You can read everything and withdraw your money without accepting them.',
      ),
    ],
    // The token is in the fragment, as in the links above.
    link: { label: t('Read the terms of use'), url: `${config.publicUrl}/terms#${encodeURIComponent(data.token)}` },
  }),
  notice: (config, data) => ({ subject: `${config.brand.name}: ${data.title}`, lines: data.lines }),
}

/**
 * Renders a mail.
 * @param config brand, and base address of links
 * @param chosen language of the recipient; English if null
 */
export function renderMail<T extends MailTemplate>(
  config: MailConfig,
  template: T,
  data: MailTemplates[T],
  chosen: string | null = null,
): { subject: string; text: string; html: string; unsubscribe?: string } {
  const language = mailLanguage(config, chosen)
  const { t } = language
  const content = { ...readers[template](config, data, language), ...operatorTexts(config, template) }
  const subject = oneLine(content.subject, language.direction)
  const greeting = 'name' in data && isPersonName(data.name) ? t('Hello {name},', { name: data.name }) : t('Hello,')
  const blocks: MailBlock[] = [{ kind: 'text', text: greeting }]
  for (const [index, text] of content.lines.entries()) {
    blocks.push({ kind: 'text', text })
    if (index === 0 && content.facts !== undefined) blocks.push({ kind: 'facts', rows: content.facts })
    if (index === 0 && content.code !== undefined) blocks.push({ kind: 'code', code: content.code })
    if (content.link !== undefined && index === (content.linkAfter ?? (content.code === undefined ? 0 : 1)))
      blocks.push({ kind: 'button', ...content.link })
  }
  const mail = layOutMail(config, language, subject, blocks)
  return { subject, ...mail, ...(content.unsubscribe === undefined ? {} : { unsubscribe: content.unsubscribe }) }
}
