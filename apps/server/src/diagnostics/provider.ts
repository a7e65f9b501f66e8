import { lastScan } from '../modules/deposits/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Ports } from '../main/ports.ts'
import { findingsFor, formatAge, type Finding } from './finding.ts'

/** Maximum age in ms of the last payment list, which is read hourly. */
const STALE_MS = 3 * 3_600_000

/** The provider has no payment 0. An answer of any kind proves that the credentials work. */
export async function providerFindings({ deposits }: Pick<Ports, 'deposits'>): Promise<Finding[]> {
  const { good, bad } = findingsFor('provider')
  try {
    await deposits.provider.getPayment('0')
  } catch (error) {
    const status = error instanceof Error ? /answered (\d+)$/.exec(error.message)?.[1] : undefined
    if (status === '401' || status === '403') return [bad('rejects PAYMENT_PROVIDER_KEY', 'correct PAYMENT_PROVIDER_KEY')]
    if (status !== '400' && status !== '422') throw error
  }
  return [good(`accepts PAYMENT_PROVIDER_KEY; notices go to ${deposits.noticeUrl}`)]
}

/** Reports differences between the provider's payment list and the ledger. Earlier payments are not compared. */
export async function providerDifferences(db: Db, now: Date): Promise<Finding[]> {
  const { good, warning, bad } = findingsFor('provider')
  const scan = await lastScan(db)
  if (scan === undefined) return []
  const late = now.getTime() - scan.scannedAt.getTime()
  const findings = [
    ...scan.missing.map((id) =>
      bad(`does not know payment ${id}, which was credited`, 'ask the provider; reverse the credit under Ledger'),
    ),
    ...scan.unknown.map((id) =>
      warning(`has payment ${id} for an unknown order`, 'find who else uses this key; the payment is not credited'),
    ),
    ...(late <= STALE_MS
      ? []
      : [
          warning(
            `last returned its list of payments ${formatAge(late / 1000)} ago`,
            'set PAYMENT_PROVIDER_EMAIL and PAYMENT_PROVIDER_PASSWORD if it requires a login',
          ),
        ]),
  ]
  return findings.length > 0 ? findings : [good('has exactly the credited payments')]
}
