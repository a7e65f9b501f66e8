import type { ReplyOf } from '@tizara/contract'
import type { ProposalSubject, staffCatalogue } from '@tizara/contract/staff-changes'

export type Catalogue = ReplyOf<typeof staffCatalogue>
export type Standing = NonNullable<Catalogue['standing']>[string]

export interface FormField {
  key: string
  label: string
  kind: 'figure' | 'whole' | 'text' | 'lines' | 'list' | 'yes' | readonly (readonly [value: string, text: string])[]
  unit?: string
  /** Word after the figure, if one line shows several: `5 % platform`. */
  word?: string
  /** Minimum decimals shown. */
  decimals?: number
}

/** An editable offer: its fields and current values. */
export interface Offer {
  subject: ProposalSubject
  title: string
  fields: readonly FormField[]
  /** Current values as form text. */
  holds: Readonly<Record<string, string>>
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

/** Groups of settings and limits edited together (staff.md, Catalogue). */
export const GROUPS: readonly { subject: 'settings' | 'limits'; title: string; fields: readonly FormField[] }[] = [
  {
    subject: 'settings',
    title: 'Smallest and largest order',
    fields: [figure('minCoin', 'Smallest', 'coin'), figure('maxCoin', 'Largest', 'coin')],
  },
  {
    subject: 'settings',
    title: 'Convert rate, NFT wallet',
    fields: [{ ...figure('convertRate', 'USD for one coin', 'USD'), decimals: PRICE_DECIMALS }],
  },
  {
    subject: 'settings',
    title: 'Exchange limit, wait',
    fields: [figure('exchangeLimit', 'Limit', '%'), { key: 'exchangeCooldownHours', label: 'Wait', kind: 'whole', unit: 'h' }],
  },
  {
    subject: 'settings',
    title: 'Withdrawal fees',
    fields: [
      { ...figure('platformFeePercent', 'Platform', '%'), word: 'platform' },
      { ...figure('networkFeePercent', 'Network', '%'), word: 'network' },
    ],
  },
  {
    subject: 'settings',
    title: 'Bridge fee, minimum',
    fields: [figure('bridgeFeePercent', 'Fee', '%'), figure('bridgeMinimum', 'Minimum', 'coin')],
  },
  {
    subject: 'limits',
    title: 'Four eyes above',
    fields: [figure('fourEyesAboveUsd', 'USD', 'USD'), figure('fourEyesAboveCoin', 'Coin', 'coin')],
  },
  { subject: 'limits', title: 'Open invoices of a member', fields: [{ key: 'openInvoices', label: 'At once', kind: 'whole' }] },
  {
    subject: 'limits',
    title: 'Waiting times of payouts',
    fields: [
      { key: 'payoutConfirmHours', label: 'For their owner', kind: 'whole', unit: 'h', word: 'to confirm' },
      { key: 'addressDelayHours', label: 'A new address', kind: 'whole', unit: 'h', word: 'for a new address' },
      { key: 'payoutHoldHours', label: 'After a change', kind: 'whole', unit: 'h', word: 'after a change' },
    ],
  },
  {
    subject: 'limits',
    title: 'Sent to members in 24 hours without confirmation',
    fields: [figure('unconfirmedTransferDayUsd', 'USD', 'USD')],
  },
  {
    subject: 'limits',
    title: 'Paid to one member in 24 hours',
    fields: [figure('payoutDayUsd', 'USD', 'USD'), figure('payoutDayCoin', 'Coin', 'coin')],
  },
  {
    subject: 'limits',
    title: 'Paid to all in 24 hours',
    fields: [figure('payoutDayTotalUsd', 'USD', 'USD'), figure('payoutDayTotalCoin', 'Coin', 'coin')],
  },
  {
    subject: 'limits',
    title: "Warning above a group's gain in 30 days",
    fields: [figure('boundWarningPercent', 'Above', '%')],
  },
  {
    subject: 'limits',
    title: 'Staff can reverse a stake or an NFT',
    fields: [{ key: 'reversalDays', label: 'For', kind: 'whole', unit: 'days' }],
  },
  {
    subject: 'limits',
    title: 'Personal data per staff member and hour',
    fields: [
      { key: 'personalPagesPerHour', label: 'Pages', kind: 'whole' },
      { key: 'revealsPerHour', label: 'Reveals', kind: 'whole', word: 'reveals' },
    ],
  },
  {
    subject: 'settings',
    title: 'Purchased coin is credited to',
    fields: [
      {
        key: 'buyTokenCreditWallet',
        label: 'Wallet',
        kind: [
          ['newIcoWallet', 'New ICO'],
          ['icoWallet', 'ICO'],
          ['nativeWallet', 'Native'],
        ],
      },
    ],
  },
  { subject: 'settings', title: 'Mail domains', fields: [{ key: 'allowedEmailDomains', label: 'One per line', kind: 'list' }] },
]

const PRICE_FIELDS: readonly FormField[] = [figure('coinPrice', 'New value', 'USD')]

const VALUE_SUBJECTS: readonly string[] = ['price', 'settings', 'limits']

/** Returns an offer of the settings: one group, with its current values. */
export const offerOfGroup = (catalogue: Catalogue, group: (typeof GROUPS)[number]): Offer => {
  const values: Readonly<Record<string, unknown>> = { ...catalogue.settings, ...catalogue.limits }
  return { ...group, holds: Object.fromEntries(group.fields.map(({ key }) => [key, asText(values[key])])) }
}

/** Returns the offer of another coin price. */
export const offerOfPrice = (catalogue: Catalogue): Offer => ({
  subject: 'price',
  title: 'Another coin price',
  fields: PRICE_FIELDS,
  holds: { coinPrice: asText(catalogue.coinPrice) },
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
    holds: Object.assign({}, ...offers.map(({ holds }) => holds)) as Offer['holds'],
  }
}
export const PLAN_FIELDS: readonly FormField[] = [
  { key: 'planName', label: 'Name', kind: 'text' },
  { key: 'duration', label: 'Days', kind: 'whole' },
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
  { key: 'duration', label: 'Months', kind: 'whole' },
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
  if (typeof value === 'bigint') return unitsText(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function unitsText(units: bigint): string {
  const whole = units / 100_000_000n
  const rest = String(units % 100_000_000n)
    .padStart(8, '0')
    .replace(/0+$/, '')
  return rest === '' ? String(whole) : `${whole}.${rest}`
}

/** Converts the form to a wire value: the changed fields, or all of them. */
export function valueOf(offer: Offer, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = offer.fields.filter(({ key }) => offer.whole === true || (typed[key] ?? '') !== (offer.holds[key] ?? ''))
  const entries = fields.map(({ key, kind }) => {
    const text = (typed[key] ?? '').trim()
    if (kind === 'whole') return [key, text === '' ? undefined : Number(text)] as const
    if (kind === 'yes') return [key, text === 'yes'] as const
    if (kind === 'list') return [key, text.split(/\s+/).filter((one) => one !== '')] as const
    return [key, text] as const
  })
  return { ...Object.fromEntries(entries), ...offer.ids }
}
