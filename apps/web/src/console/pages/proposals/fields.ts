/** Label and unit of a proposal's field. */
type Field = readonly [label: string, unit?: string]

const FIELDS: Readonly<Record<string, Field>> = {
  coinPrice: ['Coin price', 'USD'],
  minCoin: ['Smallest order', 'coin'],
  maxCoin: ['Largest order', 'coin'],
  convertRate: ['Convert rate, NFT wallet', 'USD'],
  exchangeLimit: ['Exchange limit', '%'],
  exchangeCooldownHours: ['Wait between exchanges', 'h'],
  platformFeePercent: ['Platform fee', '%'],
  networkFeePercent: ['Network fee', '%'],
  bridgeFeePercent: ['Bridge fee', '%'],
  bridgeMinimum: ['Smallest bridge', 'coin'],
  buyTokenCreditWallet: ['Purchased coin is credited to'],
  allowedEmailDomains: ['Mail domains'],
  fourEyesAboveUsd: ['Four eyes above', 'USD'],
  fourEyesAboveCoin: ['Four eyes above', 'coin'],
  openInvoices: ['Open invoices of a member'],
  payoutConfirmHours: ['Confirmation period of payouts', 'h'],
  addressDelayHours: ['Delay of a new address', 'h'],
  payoutHoldHours: ['Payout freeze after a security change', 'h'],
  provenDelayHours: ['Longest delay of a proven address', 'h'],
  proofAboveUsd: ['Proven address above, in 24 hours', 'USD'],
  proofAboveCoin: ['Proven address above, in 24 hours', 'coin'],
  unconfirmedTransferDayUsd: ['Sent to members in 24 hours without confirmation', 'USD'],
  payoutDayUsd: ['Paid to one member in 24 hours', 'USD'],
  payoutDayCoin: ['Paid to one member in 24 hours', 'coin'],
  payoutDayTotalUsd: ['Paid to all in 24 hours', 'USD'],
  payoutDayTotalCoin: ['Paid to all in 24 hours', 'coin'],
  personalPagesPerHour: ['Pages with personal data per person and hour'],
  revealsPerHour: ['Revealed fields per person and hour'],
  reversalDays: ['Stakes and NFTs can be reversed for', 'days'],
  boundWarningPercent: ["Warning above a group's gain in 30 days", '%'],
  planName: ['Name'],
  duration: ['Duration'],
  minimum: ['Smallest stake', 'coin'],
  apy: ['Total percent', '%'],
  omega: ['Omega'],
  status: ['On sale'],
  name: ['Name'],
  title: ['Title'],
  walletName: ['Kind'],
  price: ['Price', 'USD'],
  dailyRoi: ['Total percent', '%'],
  message: ['Text'],
  text: ['Text'],
  segment: ['Segment'],
  rights: ['May read'],
  networks: ['Only from these networks'],
  days: ['Expires after', 'days'],
  isActive: ['Shown to members'],
  transferId: ['Transfer'],
  what: ['It was'],
  from: ['Now taken from'],
  to: ['Back to'],
  referralPercent: ['Referral, of bought coin', '%'],
  levelPercents: ['Level reward', '%'],
  bountyPercents: ['Profit bounty', '%'],
  stakeLogLevelPercents: ['Omega level', '%'],
  stakeLogBountyPercents: ['Omega bounty', '%'],
  nftLevelPercents: ['NFT level', '%'],
  nftBountyPercents: ['NFT bounty', '%'],
  fullLevelShareDays: ['Full level share from', 'days'],
  committedCoin: ['Committed', 'coin'],
  committedUsd: ['Committed', 'USD'],
  senderName: ['Sender of mails'],
  accent: ['Accent colour'],
  url: ['Address'],
  kinds: ['Events'],
  logo: ['Logo'],
  logoDark: ['Logo, dark theme'],
}

/** Turns `fourEyesAboveUsd` into words, for a field without a label. */
const words = (key: string): string => {
  const spaced = key.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Returns a field's label. Includes the unit where two fields share a name. */
export function labelOf(key: string): string {
  const [label, unit] = FIELDS[key] ?? [words(key)]
  return unit !== undefined && Object.values(FIELDS).filter(([other]) => other === label).length > 1 && unit !== '%'
    ? `${label}, ${unit}`
    : label
}

/** Returns the unit after a field's figure. */
export const unitOf = (key: string, subject: string): string | undefined =>
  key === 'duration' ? (subject === 'nft' ? 'months' : 'days') : FIELDS[key]?.[1]
