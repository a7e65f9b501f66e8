import type { ReplyOf } from '@tizara/contract'
import type { ProposalSubject, staffCatalogue } from '@tizara/contract/staff-changes'
import { formatUnits } from '@tizara/money'

export type Catalogue = ReplyOf<typeof staffCatalogue>
export type ValueDecisions = NonNullable<Catalogue['decisions']>[string]

export interface FormField {
  key: string
  label: string
  kind: 'figure' | 'whole' | 'text' | 'lines' | 'list' | 'yes' | readonly (readonly [value: string, text: string])[]
  unit?: string
  /** Word after the figure, if one line shows several: `5 % platform`. */
  word?: string
  /** Value that switches the limit off. */
  off?: string
  /** Minimum decimals shown. */
  decimals?: number
}

/** An editable offer: its fields and current values. */
export interface Offer {
  subject: ProposalSubject
  title: string
  fields: readonly FormField[]
  /** Current values as form text. */
  current: Readonly<Record<string, string>>
  /** Id of the plan or NFT. */
  ids?: Readonly<Record<string, string>>
  /** True if all fields are sent, not only changed ones. */
  whole?: boolean
}

const figure = (key: string, label: string, unit?: string): FormField => ({
  key,
  label,
  kind: 'figure',
  ...(unit === undefined ? {} : { unit }),
})
const ON_SALE = [
  ['ACTIVE', 'yes'],
  ['INACTIVE', 'no'],
] as const

/** Decimals of the coin price, as a coin costs less than a cent. */
export const PRICE_DECIMALS = 4

/** Above this amount no payout can be, so no proof is required (the default of the settings). */
const PROOF_OFF = '1000000000'

interface Group {
  subject: 'settings' | 'limits'
  title: string
  fields: readonly FormField[]
}
const settings = (title: string, ...fields: readonly FormField[]): Group => ({ subject: 'settings', title, fields })
const limits = (title: string, ...fields: readonly FormField[]): Group => ({ subject: 'limits', title, fields })
const whole = (key: string, label: string, more: Pick<FormField, 'unit' | 'word'> = {}): FormField => ({
  key,
  label,
  kind: 'whole',
  ...more,
})

const WALLETS = [
  ['newIcoWallet', 'New ICO'],
  ['icoWallet', 'ICO'],
  ['nativeWallet', 'Native'],
] as const

/** Groups of settings and limits edited together (staff.md, Catalogue). */
export const GROUPS: readonly Group[] = [
  settings('Minimum and maximum order', figure('minCoin', 'Minimum', 'coin'), figure('maxCoin', 'Maximum', 'coin')),
  settings('Convert rate, NFT wallet', { ...figure('convertRate', 'USD for one coin', 'USD'), decimals: PRICE_DECIMALS }),
  settings('Exchange limit, wait', figure('exchangeLimit', 'Limit', '%'), whole('exchangeCooldownHours', 'Wait', { unit: 'h' })),
  settings(
    'Withdrawal fees',
    { ...figure('platformFeePercent', 'Platform', '%'), word: 'platform' },
    { ...figure('networkFeePercent', 'Network', '%'), word: 'network' },
  ),
  settings('Bridge fee, minimum', figure('bridgeFeePercent', 'Fee', '%'), figure('bridgeMinimum', 'Minimum', 'coin')),
  limits('Four eyes above', figure('fourEyesAboveUsd', 'USD', 'USD'), figure('fourEyesAboveCoin', 'Coin', 'coin')),
  limits('Open invoices of a member', whole('openInvoices', 'At the same time')),
  limits(
    'Waiting times of payouts',
    whole('payoutConfirmHours', 'For the confirmation of the member', { unit: 'h', word: 'to confirm' }),
    whole('addressDelayHours', 'For a new address', { unit: 'h', word: 'for a new address' }),
    whole('provenDelayHours', 'Maximum for a proven address', { unit: 'h', word: 'at most for a proven address' }),
    whole('payoutHoldHours', 'After a security change', { unit: 'h', word: 'after a security change' }),
  ),
  limits('Sent to members in 24 hours without confirmation', figure('unconfirmedTransferDayUsd', 'USD', 'USD')),
  limits('Paid to one member in 24 hours', figure('payoutDayUsd', 'USD', 'USD'), figure('payoutDayCoin', 'Coin', 'coin')),
  limits(
    'Proven address above, in 24 hours',
    { ...figure('proofAboveUsd', 'USD', 'USD'), off: PROOF_OFF },
    { ...figure('proofAboveCoin', 'Coin', 'coin'), off: PROOF_OFF },
  ),
  limits('Paid to all in 24 hours', figure('payoutDayTotalUsd', 'USD', 'USD'), figure('payoutDayTotalCoin', 'Coin', 'coin')),
  limits("Warning above a group's gain in 30 days", figure('boundWarningPercent', 'Above', '%')),
  limits('Staff can reverse a stake or an NFT', whole('reversalDays', 'For', { unit: 'days' })),
  limits(
    'Personal data per staff member and hour',
    whole('personalPagesPerHour', 'Pages'),
    whole('revealsPerHour', 'Revealed fields', { word: 'revealed fields' }),
  ),
  settings('Purchased coin is credited to', { key: 'buyTokenCreditWallet', label: 'Wallet', kind: WALLETS }),
  settings('Mail domains', { key: 'allowedEmailDomains', label: 'One per line', kind: 'list' }),
]

const PRICE_FIELDS: readonly FormField[] = [figure('coinPrice', 'New value', 'USD')]

const VALUE_SUBJECTS: readonly string[] = ['price', 'settings', 'limits']

/** Returns an offer of the settings: one group, with its current values. */
export const offerOfGroup = (catalogue: Catalogue, group: Group): Offer => {
  const values: Readonly<Record<string, unknown>> = { ...catalogue.settings, ...catalogue.limits }
  return { ...group, current: Object.fromEntries(group.fields.map(({ key }) => [key, asText(values[key])])) }
}

/** Returns the offer of another coin price. */
export const offerOfPrice = (catalogue: Catalogue): Offer => ({
  subject: 'price',
  title: 'Another coin price',
  fields: PRICE_FIELDS,
  current: { coinPrice: asText(catalogue.coinPrice) },
})

/** Lists the offers that can join a proposal: price, settings and limits that it does not contain yet. */
export const offersToAdd = (catalogue: Catalogue, offers: readonly Offer[]): Offer[] =>
  offers.every(({ subject }) => VALUE_SUBJECTS.includes(subject))
    ? [offerOfPrice(catalogue), ...GROUPS.map((group) => offerOfGroup(catalogue, group))].filter(
        ({ title }) => !offers.some((one) => one.title === title),
      )
    : []

/** Joins offers of price, settings and limits, so that one decision changes all of them. A single offer is returned unchanged. */
export function joinOffers(offers: readonly [Offer, ...Offer[]]): Offer {
  if (offers.length === 1) return offers[0]
  return {
    subject: 'values',
    title: offers[0].title,
    fields: offers.flatMap(({ title, fields }) =>
      fields.map((field) => ({ ...field, label: fields.length === 1 ? title : `${title}: ${field.label}` })),
    ),
    current: Object.assign({}, ...offers.map(({ current }) => current)) as Offer['current'],
  }
}
export const PLAN_FIELDS: readonly FormField[] = [
  { key: 'planName', label: 'Name', kind: 'text' },
  whole('duration', 'Days'),
  figure('minimum', 'Smallest stake', 'coin'),
  figure('apy', 'Total percent', '%'),
  { key: 'omega', label: 'Omega', kind: 'yes' },
  { key: 'status', label: 'On sale', kind: ON_SALE },
]
export const NFT_FIELDS: readonly FormField[] = [
  { key: 'name', label: 'Name', kind: 'text' },
  { key: 'title', label: 'Title', kind: 'text' },
  {
    key: 'walletName',
    label: 'Kind',
    kind: [
      ['dome', 'Dome'],
      ['wagon', 'Wagon'],
      ['hotelAndResort', 'Hotel and resort'],
      ['land', 'Land'],
    ],
  },
  figure('price', 'Price', 'USD'),
  whole('duration', 'Months'),
  figure('dailyRoi', 'Total percent', '%'),
  { key: 'status', label: 'On sale', kind: ON_SALE },
]
export const POPUP_FIELDS: readonly FormField[] = [
  { key: 'title', label: 'Title', kind: 'text' },
  { key: 'message', label: 'Text', kind: 'lines' },
  { key: 'isActive', label: 'Shown to members', kind: 'yes' },
]

/** Converts a wire value to form text. */
export function asText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value
      .map((one) =>
        typeof one === 'object'
          ? Object.values(one as object)
              .map(asText)
              .join(' ')
          : asText(one),
      )
      .join('\n')
  if (typeof value === 'bigint') return formatUnits(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Converts the form to a wire value: the changed fields, or all of them. */
export function valueOf(offer: Offer, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = offer.fields.filter(({ key }) => offer.whole === true || (typed[key] ?? '') !== (offer.current[key] ?? ''))
  const entries = fields.map(({ key, kind }) => {
    const text = (typed[key] ?? '').trim()
    if (kind === 'whole') return [key, text === '' ? undefined : Number(text)] as const
    if (kind === 'yes') return [key, text === 'yes'] as const
    if (kind === 'list') return [key, text.split(/\s+/).filter((one) => one !== '')] as const
    return [key, text] as const
  })
  return { ...Object.fromEntries(entries), ...offer.ids }
}
