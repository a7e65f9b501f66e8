import type { ReplyOf } from '@tizara/contract'
import { chainUsd, isProven, type ProofStatement, reserveGaps } from '@tizara/contract/balance-proof/proof-statement'
import type { trustHistory } from '@tizara/contract/trust'
import type { Asset } from '@tizara/contract/wallets'
import { t, texts } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { Moment } from '../lib/moment.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { formatShare } from './format-share.ts'
import { T } from '../ui/t.tsx'

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
      label: t('Owed to members in {unit}', { unit: unitOf(asset) }),
      value: statement.owed[asset],
      previous: before?.owed[asset],
      asset,
    },
    {
      key: `promised ${asset}`,
      label: t('Promised in {unit}', { unit: unitOf(asset) }),
      value: statement.promised[asset],
      previous: before?.promised[asset],
      asset,
    },
    {
      key: `unassigned ${asset}`,
      label: t('Promised in {unit}, without an earner yet', { unit: unitOf(asset) }),
      value: statement.unassigned[asset],
      previous: before?.unassigned[asset],
      asset,
    },
  ])
  return (
    <Card aria-labelledby="published">
      <CardHeader
        id="published"
        title={t('Published today')}
        hint={
          <T
            text="The amounts of {members, plural, one {1 member} other {# members}} on {moment}: wallets, amounts on hold, and rewards earned but not paid. Promises are future rewards."
            members={statement.members}
            moment={<Moment at={new Date(statement.at)} time />}
          />
        }
      />
      <DescriptionList
        rows={rows.map(({ key, label, value, previous, asset }) => ({
          key,
          label,
          value: (
            <>
              <Money value={value} unit={unitOf(asset)} />
              {previous !== undefined && <span className="block text-xs text-muted">{changeText(value - previous)}</span>}
            </>
          ),
        }))}
      />
    </Card>
  )
}

/** Describes a change since the day before. */
function changeText(change: Units) {
  if (change === 0n) return t('unchanged since the day before')
  return (
    <T
      text="{money} {change} than the day before"
      money={<Money value={change < 0n ? -change : change} />}
      change={change > 0n ? t('more') : t('less')}
    />
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
  const previous = before && chainUsd(before.reserves)
  return (
    <Card aria-labelledby="on-chain">
      <CardHeader
        id="on-chain"
        title={t('What is on the chain')}
        hint={t('Only USD tokens are reserves. The platform issued {unit} itself, so it is never one.', { unit: unitOf('coin') })}
      />
      {typeof reserves === 'string' || typeof usd === 'string' ? (
        <Notice title={t('No ratio')}>{typeof reserves === 'string' ? t(reserveGaps[reserves]) : ''}</Notice>
      ) : (
        <>
          {statement.owed.usd > 0n && (
            <p className="mb-2 text-2xl font-strong tracking-num">
              <T text="USD owed: {formatShare} covered" formatShare={formatShare((usd * 10_000_000_000n) / statement.owed.usd)} />
            </p>
          )}
          {typeof previous === 'bigint' && (
            <p className="mb-2 text-xs text-muted">
              <T text="Reserves: {changeText}" changeText={changeText(usd - previous)} />
            </p>
          )}
          <DescriptionList
            rows={[
              ...reserves.holdings.map((holding) => ({
                key: holding.address,
                label: (
                  <>
                    {ROLES[holding.role]} <span className="block font-mono text-xs break-all">{holding.address}</span>
                    {!isProven(holding) && <span className="block text-xs text-warning">{t('Not counted: no signature of its key')}</span>}
                  </>
                ),
                value: <Money value={holding.usd} unit="USD" />,
              })),
              {
                key: 'deposits',
                label: (
                  <T
                    text="Deposit addresses<span>{unswept} that hold a payment, and a daily sample of {inTurn} out of {all}</span>"
                    span={(content) => <span className="block text-xs text-muted">{content}</span>}
                    unswept={reserves.deposits.unswept}
                    inTurn={reserves.deposits.inTurn}
                    all={reserves.deposits.all}
                  />
                ),
                value: <Money value={reserves.deposits.usd} unit="USD" />,
              },
            ]}
          />
          <p className="mt-3 text-sm text-muted">
            <T
              text="Read at block {block} of chain {chainId}. You can look up these addresses in any block explorer. Each counted address is signed by its key: the payout address signs the statement, each other address a text with the platform’s name. Deposit addresses are not listed, because they would show who paid. Nobody outside can check their sum."
              block={reserves.block.toLocaleString('en-US')}
              chainId={reserves.chainId}
            />
          </p>
        </>
      )}
    </Card>
  )
}

const ROLES = texts({ payouts: 'Payouts', swept: 'Collected deposits', cold: 'Cold storage' })

/** Warns that the published history is invalid. Its figures are not shown. */
export function InvalidHistoryCard({ error }: { error: string }) {
  return (
    <Card className="lg:col-span-2">
      <Notice tone="danger" title={t('The published history does not hold')}>
        <T text="{error}. Its numbers are not shown. Please open a ticket, and compare with another member." error={error} />
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
      <CardHeader id="meaning" title={t('What this proves')} />
      <ul className="mt-3 list-disc space-y-1 ps-5 text-sm">
        <li>{t('Your amounts are part of the published sums. Amounts cannot be negative, so no sum can hide a debt.')}</li>
        <li>{t('The sums cannot change later: each day contains the digest of the day before.')}</li>
        <li>
          {published.signature === null
            ? t('The statement is not signed, because the platform has no key on a chain.')
            : t('The statement is signed with the key of the payout address. This device has checked the signature.')}
        </li>
        <li>
          {seenBefore === 0
            ? t('This device has seen the history for the first time, and will compare it from now on.')
            : t('The history agrees with day {seenBefore}, the newest that this device had seen.', { seenBefore })}
        </li>
        {onChain === undefined ? (
          <li>{t('The digest is not on a chain. Compare it with another member: both must have the same.')}</li>
        ) : (
          <li>
            {t('The digest')} {onChain === published ? t('of this day') : <code className="break-all">{onChain.digest}</code>}{' '}
            {t(
              'is on a chain, which the platform cannot change. It binds all days before it. Look up the transaction below in any block explorer: its data must be the digest. Also compare with another member, because only both together show that there is one history.',
            )}
          </li>
        )}
      </ul>
      <h3 className="mt-4 text-sm font-strong">{t('What it does not prove')}</h3>
      <ul className="mt-1 list-disc space-y-1 ps-5 text-sm text-muted">
        <li>{t('That each member is included. A member who is missing finds out only by checking.')}</li>
        <li>{t('That the platform owes nothing else, or that reserves are not borrowed for the day.')}</li>
      </ul>
      <div className="mt-4 space-y-3">
        <CopyField label={t('Digest of the day')} value={published.digest} />
        {onChain?.onChain && (
          <CopyField
            label={t('Transaction in block {block} of chain {chainId}, by {sender}', {
              block: onChain.onChain.block,
              chainId: onChain.onChain.chainId,
              sender: onChain.onChain.sender,
            })}
            value={onChain.onChain.hash}
          />
        )}
      </div>
      <details className="mt-3 text-sm">
        <summary className="text-muted">{t('Check it yourself')}</summary>
        <p className="mt-2 text-muted">
          {t('The digest is SHA-256 of this text. Any wallet program that verifies signed messages (EIP-191) shows whose key signed it.')}
        </p>
        <pre className="my-3 rounded-lg bg-raised p-3 font-mono text-xs break-all whitespace-pre-wrap">{published.text}</pre>
        <CopyButton text={published.text} label={t('Copy the text')} />
        {published.signature !== null && published.signer !== null && (
          <div className="mt-3 space-y-3">
            <CopyField label={t('Signature')} value={published.signature} />
            <CopyField label={t('Address of the key')} value={published.signer} />
          </div>
        )}
      </details>
    </Card>
  )
}
