import type { ReplyOf } from '@tizara/contract'
import { chainUsd, isProven, type ProofStatement, reserveGaps } from '@tizara/contract/balance-proof/proof-statement'
import type { trustHistory } from '@tizara/contract/trust'
import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import { Moment } from '../lib/moment.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { formatShare } from './format-share.ts'

type PublishedStatement = ReplyOf<typeof trustHistory>[number]
type UnitOf = (asset: Asset) => string

const assets = ['usd', 'coin'] as const

/** Shows the published sums, and their change since the day before. */
export function PublishedCard({
  statement,
  before,
  unitOf,
}: {
  statement: ProofStatement
  before: ProofStatement | undefined
  unitOf: UnitOf
}) {
  const rows = assets.flatMap((asset) => [
    {
      key: `owed ${asset}`,
      label: `Owed to members in ${unitOf(asset)}`,
      value: statement.owed[asset],
      previousUsd: before?.owed[asset],
      asset,
    },
    {
      key: `promised ${asset}`,
      label: `Promised in ${unitOf(asset)}`,
      value: statement.promised[asset],
      previousUsd: before?.promised[asset],
      asset,
    },
    {
      key: `unassigned ${asset}`,
      label: `Promised in ${unitOf(asset)}, without an earner yet`,
      value: statement.unassigned[asset],
      previousUsd: before?.unassigned[asset],
      asset,
    },
  ])
  return (
    <Card aria-labelledby="published">
      <CardHeader
        id="published"
        title="Published today"
        hint={
          <>
            The amounts of {statement.members === 1 ? '1 member' : `${statement.members.toLocaleString('en-US')} members`} on{' '}
            <Moment at={new Date(statement.at)} time />: wallets, amounts on hold, and rewards earned but not paid. Promises are future
            rewards.
          </>
        }
      />
      <DescriptionList
        rows={rows.map(({ key, label, value, previousUsd, asset }) => ({
          key,
          label,
          value: (
            <>
              <Money value={value} unit={unitOf(asset)} />
              {previousUsd !== undefined && <span className="block text-xs text-muted">{changeText(value - previousUsd)}</span>}
            </>
          ),
        }))}
      />
    </Card>
  )
}

/** Describes a change since the day before. */
function changeText(change: Units) {
  if (change === 0n) return 'unchanged since the day before'
  return (
    <>
      <Money value={change < 0n ? -change : change} /> {change > 0n ? 'more' : 'less'} than the day before
    </>
  )
}

/** Shows the reserves on the chain against the USD owed, or the reason for none. */
export function ChainReservesCard({
  statement,
  before,
  unitOf,
}: {
  statement: ProofStatement
  before: ProofStatement | undefined
  unitOf: UnitOf
}) {
  const { reserves } = statement
  const usd = chainUsd(reserves)
  const previousUsd = before && chainUsd(before.reserves)
  return (
    <Card aria-labelledby="on-chain">
      <CardHeader
        id="on-chain"
        title="What is on the chain"
        hint={`Only USD tokens are reserves. The platform issued ${unitOf('coin')} itself, so it is never one.`}
      />
      {typeof reserves === 'string' || typeof usd === 'string' ? (
        <Notice title="No ratio">{typeof reserves === 'string' ? reserveGaps[reserves] : ''}</Notice>
      ) : (
        <>
          {statement.owed.usd > 0n && (
            <p className="mb-2 text-2xl font-strong tracking-num">
              {formatShare((usd * 10_000_000_000n) / statement.owed.usd)} of the USD owed
            </p>
          )}
          {typeof previousUsd === 'bigint' && <p className="mb-2 text-xs text-muted">Reserves: {changeText(usd - previousUsd)}</p>}
          <DescriptionList
            rows={[
              ...reserves.holdings.map((holding) => ({
                key: holding.address,
                label: (
                  <>
                    {ROLES[holding.role]} <span className="block font-mono text-xs break-all">{holding.address}</span>
                    {!isProven(holding) && <span className="block text-xs text-warning">Not counted: no signature of its key</span>}
                  </>
                ),
                value: <Money value={holding.usd} unit="USD" />,
              })),
              {
                key: 'deposits',
                label: (
                  <>
                    Deposit addresses
                    <span className="block text-xs text-muted">
                      {reserves.deposits.unswept} with a payment by the books, and {reserves.deposits.inTurn} of all {reserves.deposits.all}{' '}
                      in turn
                    </span>
                  </>
                ),
                value: <Money value={reserves.deposits.usd} unit="USD" />,
              },
            ]}
          />
          <p className="mt-3 text-sm text-muted">
            Read at block {reserves.block.toLocaleString('en-US')} of chain {reserves.chainId}. You can look up these addresses in any block
            explorer. Each counted address is signed by its key: the payout address signs the statement, each other address a text with the
            platform’s name. Deposit addresses are not listed, because they would show who paid. Nobody outside can check their sum.
          </p>
        </>
      )}
    </Card>
  )
}

const ROLES = { payouts: 'Payouts', swept: 'Collected deposits', cold: 'Cold storage' } as const

/** Warns that the published history is refused, so that its figures are not shown. */
export function InvalidHistoryCard({ error }: { error: string }) {
  return (
    <Card className="lg:col-span-2">
      <Notice tone="danger" title="The published history does not hold">
        {error}. Its numbers are not shown. Please open a ticket, and compare with another member.
      </Notice>
    </Card>
  )
}

/** Explains what the proof shows and what it does not, shows the signed text, and which guarantees hold. */
export function MeaningCard({
  rows,
  published,
  seenBefore,
}: {
  rows: readonly PublishedStatement[]
  published: PublishedStatement
  seenBefore: number
}) {
  const onChain = rows.findLast((row) => row.onChain !== null)
  return (
    <Card aria-labelledby="meaning" className="lg:col-span-2">
      <CardHeader id="meaning" title="What this proves" />
      <ul className="mt-3 list-disc space-y-1 pl-5 text-sm">
        <li>Your amounts are part of the published sums. Amounts cannot be negative, so no sum can hide a debt.</li>
        <li>The sums cannot change later: each day contains the digest of the day before.</li>
        <li>
          {published.signature === null
            ? 'The statement is not signed, because the platform has no key on a chain.'
            : 'The statement is signed with the key of the payout address. This device has checked the signature.'}
        </li>
        <li>
          {seenBefore === 0
            ? 'This device has seen the history for the first time, and will compare it from now on.'
            : `The history agrees with day ${seenBefore}, the newest that this device had seen.`}
        </li>
        {onChain === undefined ? (
          <li>The digest is not on a chain. Compare it with another member: both must have the same.</li>
        ) : (
          <li>
            The digest {onChain === published ? 'of this day' : <code className="break-all">{onChain.digest}</code>} is on a chain, which
            the platform cannot change. It binds all days before it. Look up the transaction below in any block explorer: its data must be
            the digest. Also compare with another member, because only both together show that there is one history.
          </li>
        )}
      </ul>
      <h3 className="mt-4 text-sm font-strong">What it does not prove</h3>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-sm text-muted">
        <li>That each member is included. A member who is missing finds out only by checking.</li>
        <li>That the platform owes nothing else, or that reserves are not borrowed for the day.</li>
      </ul>
      <div className="mt-4 space-y-3">
        <CopyField label="Digest of the day" value={published.digest} />
        {onChain?.onChain && (
          <CopyField
            label={`Transaction in block ${onChain.onChain.block} of chain ${onChain.onChain.chainId}, by ${onChain.onChain.sender}`}
            value={onChain.onChain.hash}
          />
        )}
      </div>
      <details className="mt-3 text-sm">
        <summary className="text-muted">Check it yourself</summary>
        <p className="mt-2 text-muted">
          The digest is SHA-256 of this text. Any wallet program that verifies signed messages (EIP-191) shows whose key signed it.
        </p>
        <pre className="my-3 rounded-lg bg-raised p-3 font-mono text-xs break-all whitespace-pre-wrap">{published.text}</pre>
        <CopyButton text={published.text} label="Copy the text" />
        {published.signature !== null && published.signer !== null && (
          <div className="mt-3 space-y-3">
            <CopyField label="Signature" value={published.signature} />
            <CopyField label="Address of the key" value={published.signer} />
          </div>
        )}
      </details>
    </Card>
  )
}
