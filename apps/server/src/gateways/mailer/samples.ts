import { noticeTexts } from '@tizara/contract/notice-text'
import type { Config } from '../../platform/config/config.ts'
import { ENGLISH, shownInMail } from './mail-words.ts'
import {
  type MailConfig,
  hasOwnWords,
  type MailTemplate,
  type MailTemplates,
  type OutflowKind,
  type PayoutStep,
  renderMail,
} from './templates.ts'

/** A sample mail for staff: when it is sent, and invented data. */
interface Sample<T extends MailTemplate = MailTemplate> {
  title: string
  when: string
  template: T
  data: MailTemplates[T]
  optional?: true
}

const sample = <T extends MailTemplate>(title: string, when: string, template: T, data: MailTemplates[T]): Sample<T> => ({
  title,
  when,
  template,
  data,
})

const NAME = 'Ada Byron'
const AT = new Date('2026-03-01T10:00:00Z')
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const TOKEN = 'EXAMPLE'
const payout = (title: string, when: string, step: PayoutStep, kind: OutflowKind = 'withdrawal') =>
  sample(title, when, 'payout', {
    name: NAME,
    kind,
    step,
    amount: 530_000_000_000n,
    unit: 'USD',
    address: kind === 'transfer' ? 'bob@example.com' : ADDRESS,
    ...(kind === 'transfer' ? { receiver: 'B. B.' } : {}),
    at: AT,
    until: new Date('2026-03-02T10:00:00Z'),
    token: TOKEN,
  })

/** Every mail, by the name in the URL of its sample. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  verification: sample('Verify mail', 'After a registration, and on request', 'verification', { code: '123456', token: TOKEN }),
  'another-registration': sample(
    'Another registration',
    'After a registration for an address that an unfinished one holds',
    'anotherRegistration',
    { token: TOKEN },
  ),
  'sign-in-code': sample('Sign-in code', 'At a sign-in on a new device after many wrong passwords', 'signInCode', { code: '123456' }),
  'reset-password': sample('Reset password', 'On request', 'reset', { name: NAME, token: TOKEN }),
  'password-changed': sample('Password changed', 'After a change or a reset', 'passwordChanged', { name: NAME, at: AT, how: 'change' }),
  'new-sign-in': sample('New sign-in', 'At the first sign-in from a device', 'newDevice', {
    name: NAME,
    device: 'Chrome on Linux',
    ip: '192.0.2.1',
    at: AT,
  }),
  'second-factor-on': sample('Two-factor authentication on', 'When the authenticator app is turned on', 'secondFactor', {
    name: NAME,
    on: true,
    at: AT,
  }),
  'second-factor-off': sample('Two-factor authentication off', 'When the authenticator app is turned off', 'secondFactor', {
    name: NAME,
    on: false,
    at: AT,
  }),
  'new-email': sample('New address to confirm', 'To the new address when a member changes it', 'newEmail', {
    name: NAME,
    token: TOKEN,
    until: AT,
  }),
  'email-change': sample('Change of address', 'To the present address when a member changes it', 'emailChange', {
    name: NAME,
    token: TOKEN,
    at: AT,
  }),
  recovery: sample(
    'Recovery of an account',
    'To the present and earlier addresses when staff recover an account with another address',
    'recovery',
    {
      name: NAME,
      ...noticeTexts.recovery({ step: 'started', replaces: 'mailbox', until: '2026-03-08T10:00:00Z' }, shownInMail(ENGLISH, AT)),
      token: TOKEN,
    },
  ),
  'payout-waits': payout('Payout to confirm', 'When a payout awaits confirmation', 'waiting'),
  'payout-asked': payout('Payout requested', 'When a payout to a known address was requested', 'asked'),
  'payout-confirmed': payout('Payout confirmed', 'When the member confirmed it', 'confirmed'),
  'payout-approved': payout('Payout approved', 'When staff approved it', 'approved'),
  'payout-paid': payout('Payout paid', 'When it was paid', 'paid'),
  'payout-rejected': payout('Payout rejected', 'When staff rejected it', 'returned'),
  'payout-cancelled': payout('Payout cancelled', 'When the member cancelled it', 'cancelled'),
  'payout-expired': payout('Payout not confirmed', 'When it was not confirmed in time', 'expired'),
  'payout-stopped': payout('Payouts stopped', 'When the member stopped all payouts', 'stopped'),
  'transfer-waits': payout('Transfer to confirm', 'When a transfer awaits confirmation', 'waiting', 'transfer'),
  'transfer-sent': payout('Transfer sent', 'When a transfer was confirmed and sent', 'confirmed', 'transfer'),
  'payout-address': sample('New payout address', 'When an address is added to the address book', 'payoutAddress', {
    name: NAME,
    address: ADDRESS,
    waits: true,
    at: AT,
    token: TOKEN,
  }),
  'money-in': {
    ...sample('Money came in', 'When money was credited, at most one mail in ten minutes', 'moneyIn', {
      name: NAME,
      title: 'money came in',
      lines: ['A deposit of 30.00 USD was credited.'],
      token: TOKEN,
    }),
    optional: true,
  },
  terms: sample('Terms of use', 'When a money call was refused because the terms of use are not accepted, at most once a day', 'terms', {
    name: NAME,
    token: TOKEN,
  }),
  notice: sample('Notice', 'When staff or the platform changed the account', 'notice', {
    name: NAME,
    title: 'a notice about your account',
    lines: ['What happened, in plain sentences.'],
  }),
}

const described = (config: MailConfig, name: string, { title, when, template, optional }: Sample) => ({
  name,
  title,
  when,
  /** True if the operator changed the text. */
  isCustomized: hasOwnWords(config, template),
  optional: optional === true,
})

/** Describes the sample of each mail, and says when the mail is sent. */
export const mailSamples = (config: MailConfig) => Object.entries(SAMPLES).map(([name, one]) => described(config, name, one))

/** Renders one sample mail as a member receives it; undefined for an unknown name. */
export function sampleMail(config: MailConfig & Pick<Config, 'mailFrom'>, name: string) {
  const one = Object.hasOwn(SAMPLES, name) ? SAMPLES[name] : undefined
  if (one === undefined) return undefined
  const { subject, text } = renderMail(config, one.template, one.data)
  return { ...described(config, name, one), from: `${config.brand.senderName} <${config.mailFrom}>`, subject, text }
}
