import type { NoticeKind, NoticeOf } from './notices.ts'

/** Texts of a notification: a title that begins with a small letter, and a sentence. */
export interface NoticeText {
  title: string
  text: string
}

/** Values of a notification in their display form, and the reader's language. Mails and pages format values differently. */
export interface ShownFigures {
  /** Amount with its unit; empty if the kind has none. */
  amount: string
  /** Time of the event. */
  at: string
  /** Formats a time in `facts`. */
  time: (iso: string) => string
  /** Translates an English text and fills in its values. */
  t: (text: string, values?: Readonly<Record<string, string | number>>) => string
}

type Facts<Kind extends NoticeKind> = NoticeOf<Kind>['facts']
type Compose<Kind extends NoticeKind> = (facts: Facts<Kind>, shown: ShownFigures) => NoticeText

type Translate = ShownFigures['t']

const rewardText: Readonly<Record<Facts<'reward'>['reward'], (t: Translate, amount: string) => string>> = {
  nftRewards: (t, amount) => t('{amount} was paid: rewards of your NFTs and your team.', { amount }),
  referralReward: (t, amount) => t('{amount} was paid: a referral reward.', { amount }),
  levelReward: (t, amount) => t('{amount} was paid: a level reward.', { amount }),
  nftLevelBonus: (t, amount) => t('{amount} was paid: an NFT level bonus.', { amount }),
  rankBonus: (t, amount) => t('{amount} was paid: a rank bonus.', { amount }),
}

function payoutText({ outflow, step, address }: Facts<'payout'>, { amount, at, t }: ShownFigures): NoticeText {
  const values = { outflow, amount, address, at }
  const back = t('Its money is back in your wallet.')
  switch (step) {
    case 'waiting':
      return {
        title: t('please confirm a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}}', values),
        text: t(
          'A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was requested on {at}.',
          values,
        ),
      }
    case 'asked':
    case 'confirmed':
      if (outflow === 'transfer')
        return {
          title: t('a transfer was sent'),
          text: t('A transfer of {amount} to {address} was confirmed and sent on {at}.', values),
        }
      return step === 'asked'
        ? {
            title: t('a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} was requested', values),
            text: t(
              'A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was requested on {at}.',
              values,
            ),
          }
        : {
            title: t('a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} was confirmed', values),
            text: t(
              'A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was confirmed on {at}.',
              values,
            ),
          }
    case 'approved':
      return {
        title: t('a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} was approved', values),
        text: t(
          'A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was approved on {at}.',
          values,
        ),
      }
    case 'paid':
      return {
        title: t('a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} was paid', values),
        text: t(
          'A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was paid on {at}.',
          values,
        ),
      }
    case 'returned':
      return {
        title: t('a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} was rejected', values),
        text: `${t('A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was rejected on {at}.', values)} ${back}`,
      }
    case 'cancelled':
      return {
        title: t('a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} was cancelled', values),
        text: `${t('A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was cancelled on {at}.', values)} ${back}`,
      }
    case 'expired':
      return {
        title: t('a {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} was not confirmed', values),
        text: `${t('A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was not confirmed in time and ended on {at}.', values)} ${back}`,
      }
    case 'stopped':
      return {
        title: t('your payouts are stopped'),
        text: `${t('A {outflow, select, withdrawal {withdrawal} bridge {bridge} other {transfer}} of {amount} to {address} was stopped on {at}.', values)} ${back}`,
      }
  }
}

function secondFactorText({ what, passkey: name = '', unused = 0 }: Facts<'second-factor'>, { at, t }: ShownFigures): NoticeText {
  switch (what) {
    case 'app-on':
      return {
        title: t('authenticator app switched on'),
        text: t('On {at} the authenticator app of your account was switched on.', { at }),
      }
    case 'app-off':
      return {
        title: t('authenticator app switched off'),
        text: t('On {at} the authenticator app of your account was switched off.', { at }),
      }
    case 'passkey-added':
      return { title: t('a passkey was added'), text: t('On {at} the passkey "{name}" was added to your account.', { at, name }) }
    case 'passkey-removed':
      return { title: t('a passkey was removed'), text: t('On {at} the passkey "{name}" was removed from your account.', { at, name }) }
    case 'passkey-renamed':
      return { title: t('a passkey was renamed'), text: t('On {at} a passkey of your account was renamed to "{name}".', { at, name }) }
    case 'recovery-code-used':
      return {
        title: t('a recovery code was used'),
        text: t('On {at} a recovery code was used in place of your authenticator app. Unused recovery codes: {unused}.', {
          at,
          unused: String(unused),
        }),
      }
    case 'recovery-codes-renewed':
      return {
        title: t('recovery codes renewed'),
        text: t('On {at} the recovery codes of your account were replaced. The earlier ones are no longer valid.', { at }),
      }
  }
}

interface RecoveryTexts {
  /** Titles at the start, and a day before the end. */
  titles: readonly [started: string, soon: string]
  /** First sentence at the start, and a day before the end. */
  reasons: readonly [started: string, soon: string]
  effect: string
  cancel: string
}

/** Returns what an account recovery replaces, and how the owner cancels it. */
function recoveryTexts({ replaces }: Facts<'recovery'>, { at, t }: ShownFigures, until: string): RecoveryTexts {
  switch (replaces) {
    case 'second-factor':
      return {
        titles: [t('your authenticator app will be removed'), t('your authenticator app will be removed soon')],
        reasons: [
          t('On {at} staff approved the recovery of your account, because your second factor was reported as lost.', { at }),
          t('A recovery of your account is pending, because your second factor was reported as lost.'),
        ],
        effect: t('The authenticator app, recovery codes and passkeys are removed on {until}.', { until }),
        cancel: t('If you still have one of them, sign in with it: this cancels the recovery.'),
      }
    case 'mailbox':
      return {
        titles: [t('your email address will be replaced'), t('your email address will be replaced soon')],
        reasons: [
          t('On {at} staff approved the recovery of your account, because your mailbox was reported as lost.', { at }),
          t('A recovery of your account is pending, because your mailbox was reported as lost.'),
        ],
        effect: t('The email address of your account is replaced on {until}.', { until }),
        cancel: t('To cancel the recovery, sign in with your second factor, or on a device that you used before.'),
      }
    case 'both':
      return {
        titles: [
          t('your email address and authenticator app will be replaced'),
          t('your email address and authenticator app will be replaced soon'),
        ],
        reasons: [
          t('On {at} staff approved the recovery of your account, because your mailbox and your second factor was reported as lost.', {
            at,
          }),
          t('A recovery of your account is pending, because your mailbox and your second factor was reported as lost.'),
        ],
        effect: t(
          'The email address of your account is replaced on {until}. The authenticator app, recovery codes and passkeys are removed then.',
          { until },
        ),
        cancel: t('If you still have one of them, sign in with it: this cancels the recovery.'),
      }
  }
}

function recoveryText(facts: Facts<'recovery'>, shown: ShownFigures): NoticeText {
  const { at, t } = shown
  const until = facts.until === undefined ? '' : shown.time(facts.until)
  const { titles, reasons, effect, cancel } = recoveryTexts(facts, shown, until)
  switch (facts.step) {
    case 'started':
      return { title: titles[0], text: `${reasons[0]} ${effect} ${cancel}` }
    case 'soon':
      return { title: titles[1], text: `${reasons[1]} ${effect} ${cancel}` }
    case 'cancelled':
      return {
        title: t('the recovery of your account was cancelled'),
        text: t('On {at} the recovery of your account was cancelled. Email address and second factor stay.', { at }),
      }
    case 'done':
      return {
        title: t('your account was recovered'),
        text: t(
          'On {at} the recovery of your account was completed. All devices were signed out, and payouts are frozen until {until}. Sign in with the new email address.',
          { at, until },
        ),
      }
  }
}

function contactText({ what }: Facts<'contact'>, { at, t }: ShownFigures): NoticeText {
  switch (what) {
    case 'name':
      return { title: t('your name was changed'), text: t('On {at} the name of your account was changed.', { at }) }
    case 'phone':
      return { title: t('your phone number was changed'), text: t('On {at} the phone number of your account was changed.', { at }) }
    case 'email-requested':
      return {
        title: t('a new email address was requested'),
        text: t('On {at} a new email address was requested for your account. It takes effect when its owner confirms it.', { at }),
      }
    case 'email':
      return {
        title: t('your email address was changed'),
        text: t('On {at} the email address of your account was changed. All devices were signed out.', { at }),
      }
    case 'email-stopped':
      return {
        title: t('a new email address was stopped'),
        text: t(
          'On {at} a change of your email address was stopped. All payouts are stopped, and all devices were signed out. Payouts resume after you choose a new password with "Forgot password".',
          { at },
        ),
      }
  }
}

/** Composes the texts about a sell request. The amount is USD of a sale, or coin that was not sold. */
function sellRequestText({ step }: Facts<'sell-request'>, { amount, at, t }: ShownFigures): NoticeText {
  switch (step) {
    case 'sold':
      return {
        title: t('your sell request is complete'),
        text: t('The last part of your sell request was sold on {at}: {amount} is in your deposit wallet.', { at, amount }),
      }
    case 'part':
      return {
        title: t('a part of your sell request was sold'),
        text: t('A part of your sell request was sold on {at}: {amount} is in your deposit wallet.', { at, amount }),
      }
    case 'expired':
      return {
        title: t('your sell request has expired'),
        text: t('Your sell request expired on {at}. {amount} of it was not sold.', { at, amount }),
      }
  }
}

function reversalText({ transfer, kind, made, way }: Facts<'staff'>, { amount, at, time, t }: ShownFigures): NoticeText {
  // The kind is a constant label of transfers.
  const values = { at, made: time(made), kind: t(kind), transfer, amount }
  const title = t('a transfer was reversed')
  switch (way) {
    case 'own':
      return {
        title,
        text: t(
          'On {at} two staff members reversed a transfer of {made} ({kind}, number {transfer}): {amount} was returned to the wallet that it came from.',
          values,
        ),
      }
    case 'out':
      return {
        title,
        text: t(
          'On {at} two staff members reversed a transfer of {made} ({kind}, number {transfer}): {amount} was taken from your wallet.',
          values,
        ),
      }
    case 'in':
      return {
        title,
        text: t(
          'On {at} two staff members reversed a transfer of {made} ({kind}, number {transfer}): {amount} was returned to your wallet.',
          values,
        ),
      }
  }
}

/** Texts of every kind of notification; mails and the inbox use the same. */
export const noticeTexts: { readonly [Kind in NoticeKind]: Compose<Kind> } = {
  deposit: (_, { amount, t }) => ({ title: t('a deposit was credited'), text: t('A deposit of {amount} was credited.', { amount }) }),
  received: ({ sender }, { amount, t }) => ({
    title: t('a transfer was received'),
    text:
      sender === undefined
        ? t('You received {amount} from another member.', { amount })
        : t('{sender} sent you {amount}.', { sender, amount }),
  }),
  reward: ({ reward }, { amount, t }) => ({ title: t('a reward was paid'), text: rewardText[reward](t, amount) }),
  'stake-ended': (_, { amount, t }) => ({
    title: t('a stake has ended'),
    text: t('A stake of {amount} has ended, and the coin is back in your wallet.', { amount }),
  }),
  'sell-request': sellRequestText,
  'support-answer': ({ opened }, { time, t }) => ({
    title: t('support answered'),
    text: t('Support answered your ticket of {opened}. Read the answer under Support.', { opened: time(opened) }),
  }),
  message: ({ title, text }) => ({ title, text }),
  payout: payoutText,
  'payout-address': ({ address }, { at, t }) => ({
    title: t('a new payout address'),
    text: t('This address was added to your address book on {at}: {address}.', { at, address }),
  }),
  'sign-in': ({ device, ip }, { at, t }) => ({
    title: t('sign-in from a new device'),
    text: t('Your account was used on {at} from a new device: {device}, IP address {ip}.', { at, device, ip }),
  }),
  password: ({ how }, { at, t }) => ({
    title: t('your password was changed'),
    text:
      how === 'reset'
        ? t('Your password was changed with a mailed link on {at}. All devices were signed out.', { at })
        : t('Your password was changed on {at}. All other devices were signed out.', { at }),
  }),
  'second-factor': secondFactorText,
  recovery: recoveryText,
  contact: contactText,
  staff: reversalText,
}

/** Composes the texts of a notification from its kind and values. */
export function noticeText<Kind extends NoticeKind>(content: NoticeOf<Kind> & { event: Kind }, shown: ShownFigures): NoticeText {
  const compose = noticeTexts[content.event] as Compose<Kind>
  return compose(content.facts as Facts<Kind>, shown)
}
