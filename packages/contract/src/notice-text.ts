import type { NoticeKind, NoticeOf } from './notices.ts'

/** Texts of a notification: a title that begins with a small letter, and a sentence. */
export interface NoticeText {
  title: string
  text: string
}

/** Values of a notification in their display form, because mails and pages format values differently. */
export interface ShownFigures {
  /** Amount with its unit; empty if the kind has none. */
  amount: string
  /** Time of the event. */
  at: string
  /** Formats a time in `facts`. */
  time: (iso: string) => string
}

type Facts<Kind extends NoticeKind> = NoticeOf<Kind>['facts']
type Compose<Kind extends NoticeKind> = (facts: Facts<Kind>, shown: ShownFigures) => NoticeText

const REWARDS: Readonly<Record<Facts<'reward'>['reward'], string>> = {
  nftRewards: 'rewards of your NFTs and your team',
  referralReward: 'a referral reward',
  levelReward: 'a level reward',
  nftLevelBonus: 'an NFT level bonus',
  rankBonus: 'a rank bonus',
}

const BACK = 'Its money is back in your wallet.'
/** Title and sentence of each step. `{it}` is the withdrawal, bridge or transfer, `{what}` adds amount and address, `{at}` is the time. */
const STEPS: Readonly<Record<Facts<'payout'>['step'], NoticeText>> = {
  waiting: { title: 'please confirm a {it}', text: 'A {what} was requested on {at}.' },
  asked: { title: 'a {it} was requested', text: 'A {what} was requested on {at}.' },
  confirmed: { title: 'a {it} was confirmed', text: 'A {what} was confirmed on {at}.' },
  approved: { title: 'a {it} was approved', text: 'A {what} was approved on {at}.' },
  paid: { title: 'a {it} was paid', text: 'A {what} was paid on {at}.' },
  returned: { title: 'a {it} was rejected', text: `A {what} was rejected on {at}. ${BACK}` },
  cancelled: { title: 'a {it} was cancelled', text: `A {what} was cancelled on {at}. ${BACK}` },
  expired: { title: 'a {it} was not confirmed', text: `A {what} was not confirmed in time and ended on {at}. ${BACK}` },
  stopped: { title: 'your payouts are stopped', text: `A {what} was stopped on {at}. ${BACK}` },
}
const SENT: NoticeText = { title: 'a transfer was sent', text: 'A {what} was confirmed and sent on {at}.' }

/**
 * Title and sentence of each change of a second factor. `{at}` is the time, `{name}` the passkey's name, `{unused}` a count.
 */
const SECOND_FACTOR: Readonly<Record<Facts<'second-factor'>['what'], NoticeText>> = {
  'app-on': { title: 'authenticator app switched on', text: 'On {at} the authenticator app of your account was switched on.' },
  'app-off': { title: 'authenticator app switched off', text: 'On {at} the authenticator app of your account was switched off.' },
  'passkey-added': { title: 'a passkey was added', text: 'On {at} the passkey "{name}" was added to your account.' },
  'passkey-removed': { title: 'a passkey was removed', text: 'On {at} the passkey "{name}" was removed from your account.' },
  'recovery-code-used': {
    title: 'a recovery code was used',
    text: 'On {at} a recovery code was used in place of your authenticator app. Unused recovery codes: {unused}.',
  },
  'recovery-codes-renewed': {
    title: 'recovery codes renewed',
    text: 'On {at} the recovery codes of your account were replaced. The earlier ones are no longer valid.',
  },
  'passkey-renamed': { title: 'a passkey was renamed', text: 'On {at} a passkey of your account was renamed to "{name}".' },
}

/** What an account recovery replaces: as it was reported, as the title names it, what happens, and how the owner cancels it. */
const RECOVERY: Readonly<Record<Facts<'recovery'>['replaces'], Readonly<Record<'lost' | 'title' | 'effect' | 'cancel', string>>>> = {
  'second-factor': {
    lost: 'your second factor',
    title: 'your authenticator app',
    effect: 'The authenticator app, recovery codes and passkeys are removed on {until}.',
    cancel: 'If you still have one of them, sign in with it: this cancels the recovery.',
  },
  mailbox: {
    lost: 'your mailbox',
    title: 'your email address',
    effect: 'The email address of your account is replaced on {until}.',
    cancel: 'To cancel the recovery, sign in with your second factor, or on a device that you used before.',
  },
  both: {
    lost: 'your mailbox and your second factor',
    title: 'your email address and authenticator app',
    effect:
      'The email address of your account is replaced on {until}. The authenticator app, recovery codes and passkeys are removed then.',
    cancel: 'If you still have one of them, sign in with it: this cancels the recovery.',
  },
}

function recoveryText({ step, replaces }: Facts<'recovery'>): NoticeText {
  const { lost, title, effect, cancel } = RECOVERY[replaces]
  const removed = replaces === 'second-factor' ? 'removed' : 'replaced'
  switch (step) {
    case 'started':
      return {
        title: `${title} will be ${removed}`,
        text: `On {at} staff approved the recovery of your account, because ${lost} was reported as lost. ${effect} ${cancel}`,
      }
    case 'soon':
      return {
        title: `${title} will be ${removed} soon`,
        text: `A recovery of your account is pending, because ${lost} was reported as lost. ${effect} ${cancel}`,
      }
    case 'cancelled':
      return {
        title: 'the recovery of your account was cancelled',
        text: 'On {at} the recovery of your account was cancelled. Email address and second factor stay.',
      }
    case 'done':
      return {
        title: 'your account was recovered',
        text: 'On {at} the recovery of your account was completed. All devices were signed out, and payouts are frozen until {until}. Sign in with the new email address.',
      }
  }
}

/** Title and sentence of each change of name, phone or address. */
const CONTACT: Readonly<Record<Facts<'contact'>['what'], NoticeText>> = {
  name: { title: 'your name was changed', text: 'On {at} the name of your account was changed.' },
  phone: { title: 'your phone number was changed', text: 'On {at} the phone number of your account was changed.' },
  'email-requested': {
    title: 'a new email address was requested',
    text: 'On {at} a new email address was requested for your account. It takes effect when its owner confirms it.',
  },
  email: {
    title: 'your email address was changed',
    text: 'On {at} the email address of your account was changed. All devices were signed out.',
  },
  'email-stopped': {
    title: 'a new email address was stopped',
    text: 'On {at} a change of your email address was stopped. All payouts are stopped, and all devices were signed out. Payouts resume after you choose a new password with "Forgot password".',
  },
}

/** Title and sentence of each step of a sell request. `{amount}` is USD of a sale, or coin that was not sold; `{at}` is the time. */
const SELL_REQUEST: Readonly<Record<Facts<'sell-request'>['step'], NoticeText>> = {
  sold: {
    title: 'your sell request is complete',
    text: 'The last part of your sell request was sold on {at}: {amount} is in your deposit wallet.',
  },
  part: {
    title: 'a part of your sell request was sold',
    text: 'A part of your sell request was sold on {at}: {amount} is in your deposit wallet.',
  },
  expired: { title: 'your sell request has expired', text: 'Your sell request expired on {at}. {amount} of it was not sold.' },
}

const REVERSED: Readonly<Record<Facts<'staff'>['way'], string>> = {
  own: 'was returned to the wallet that it came from',
  out: 'was taken from your wallet',
  in: 'was returned to your wallet',
}

/** Texts of every kind of notification; mails and the inbox use the same. */
export const noticeTexts: { readonly [Kind in NoticeKind]: Compose<Kind> } = {
  deposit: (_, { amount }) => ({ title: 'a deposit was credited', text: `A deposit of ${amount} was credited.` }),
  received: (_, { amount }) => ({ title: 'a transfer was received', text: `You received ${amount} from another member.` }),
  reward: ({ reward }, { amount }) => ({ title: 'a reward was paid', text: `${amount} was paid: ${REWARDS[reward]}.` }),
  'stake-ended': (_, { amount }) => ({
    title: 'a stake has ended',
    text: `A stake of ${amount} has ended, and the coin is back in your wallet.`,
  }),
  'sell-request': ({ step }, { amount, at }) => {
    const { title, text } = SELL_REQUEST[step]
    return { title, text: text.replace('{at}', () => at).replace('{amount}', () => amount) }
  },
  'support-answer': ({ opened }, { time }) => ({
    title: 'support answered',
    text: `Support answered your ticket of ${time(opened)}. Read the answer under Support.`,
  }),
  message: ({ title, text }) => ({ title, text }),
  payout: ({ outflow, step, address }, { amount, at }) => {
    const { title, text } = outflow === 'transfer' && (step === 'confirmed' || step === 'asked') ? SENT : STEPS[step]
    return {
      title: title.replace('{it}', outflow),
      // The time first, as an address is text of a member.
      text: text.replace('{at}', () => at).replace('{what}', () => `${outflow} of ${amount} to ${address}`),
    }
  },
  'payout-address': ({ address }, { at }) => ({
    title: 'a new payout address',
    text: `This address was added to your address book on ${at}: ${address}.`,
  }),
  'sign-in': ({ device, ip }, { at }) => ({
    title: 'sign-in from a new device',
    text: `Your account was used on ${at} from a new device: ${device}, IP address ${ip}.`,
  }),
  password: ({ how }, { at }) => ({
    title: 'your password was changed',
    text:
      how === 'reset'
        ? `Your password was changed with a mailed link on ${at}. All devices were signed out.`
        : `Your password was changed on ${at}. All other devices were signed out.`,
  }),
  'second-factor': ({ what, passkey = '', unused = 0 }, { at }) => {
    const { title, text } = SECOND_FACTOR[what]
    return {
      title,
      text: text
        .replace('{at}', () => at)
        .replace('{name}', () => passkey)
        .replace('{unused}', String(unused)),
    }
  },
  recovery: (facts, { at, time }) => {
    const { title, text } = recoveryText(facts)
    return { title, text: text.replace('{at}', () => at).replace('{until}', () => (facts.until === undefined ? '' : time(facts.until))) }
  },
  contact: ({ what }, { at }) => {
    const { title, text } = CONTACT[what]
    return { title, text: text.replace('{at}', () => at) }
  },
  staff: ({ transfer, kind, made, way }, { amount, at, time }) => ({
    title: 'a transfer was reversed',
    text: `On ${at} two staff members reversed a transfer of ${time(made)} (${kind}, number ${transfer}): ${amount} ${REVERSED[way]}.`,
  }),
}

/** Composes the texts of a notification from its kind and values. */
export function noticeText<Kind extends NoticeKind>(content: NoticeOf<Kind> & { event: Kind }, shown: ShownFigures): NoticeText {
  const compose = noticeTexts[content.event] as Compose<Kind>
  return compose(content.facts as Facts<Kind>, shown)
}
