import { translateResponse } from '@tizara/contract/response-texts'
import type { Receipt } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { Address, ChainTransaction } from '../../ui/address.tsx'
import { Badge } from '../../ui/badge.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Money } from '../../ui/money.tsx'
import { unitOf } from '../asset-unit.ts'
import { Moment } from '../moment.tsx'
import { usePartyNames } from './party-names.ts'

type Party = Receipt['from']

/** Translates a text of the receipt. */
const translated = (text: string): string => translateResponse(text, t)

function Exact({ value, unit }: { value: bigint; unit: string }) {
  return <Money value={value} unit={unit} decimals="exact" />
}

/** @param name the name that the member gave, if any */
function partyRow(label: string, party: Party, name: string | undefined) {
  return party.address === undefined
    ? { key: label, label, value: name ?? t(party.label), hint: name && party.label }
    : { key: label, label, value: <Address value={party.address} />, hint: name ?? t(party.label), stacked: true }
}

/** Longest name plus value, in characters, that fits on one line on phones. */
const MAX_LINE_CHARACTERS = 42

/** Renders a receipt line; amounts and times use the common formats. */
function Line({ line, asset }: { line: Receipt['lines'][number]; asset: Receipt['asset'] }) {
  if (line.at !== undefined) return <Moment at={line.at} time />
  return line.amount === undefined ? translated(line.value) : <Exact value={line.amount} unit={unitOf(line.asset ?? asset)} />
}

/** Shows a movement's details: source, destination, rule and resulting balances. */
export function ReceiptView({ receipt }: { receipt: Receipt }) {
  const unit = unitOf(receipt.asset)
  const { base, rate, fee, balanceBefore, balanceAfter, from, to } = receipt
  const nameOf = usePartyNames([from, to])
  return (
    <>
      <p className="text-sm text-faint">{translated(receipt.title)}</p>
      <Money value={receipt.amount} unit={unit} decimals="exact" className="mt-0.5 block text-3xl font-strong tracking-num" />
      <p className="mt-1 mb-4 flex flex-wrap items-center gap-2 text-sm text-faint">
        <Moment at={receipt.createdAt} time />
        {receipt.status !== undefined && <Badge>{t(receipt.status.toUpperCase())}</Badge>}
      </p>
      <DescriptionList
        rows={[
          partyRow(t('From'), from, nameOf(from)),
          partyRow(t('To'), to, nameOf(to)),
          receipt.sourceLabel !== undefined && { label: t('Source'), value: receipt.sourceLabel },
          receipt.sourceMember !== undefined && { label: t('Member'), value: receipt.sourceMember },
          receipt.level !== undefined && { label: t('Level'), value: receipt.level },
          receipt.rule !== undefined && {
            label: t('Rule'),
            value: <span className="inline-block first-letter:uppercase">{translated(receipt.rule)}</span>,
            hint:
              receipt.ruleVersion !== undefined && /^\d+$/.test(receipt.ruleVersion)
                ? t('version {ruleVersion}', { ruleVersion: receipt.ruleVersion })
                : receipt.ruleVersion,
            stacked: receipt.rule.length > 40,
          },
          base !== undefined && {
            label: t(receipt.baseLabel ?? 'Calculated from'),
            value: <Exact value={base} unit={unitOf(receipt.baseAsset ?? receipt.asset)} />,
          },
          rate !== undefined && {
            label: t('Rate'),
            value: [formatUnits(rate), receipt.rateUnit && t(receipt.rateUnit)].filter((part) => part !== undefined).join(' '),
          },
          fee !== undefined && { label: t('Fee'), value: <Exact value={fee} unit={unit} /> },
          ...receipt.lines.map((line) => ({
            key: line.label,
            label: translated(line.label),
            value: <Line line={line} asset={receipt.asset} />,
            stacked: line.label.length + line.value.length > MAX_LINE_CHARACTERS,
          })),
          balanceBefore !== undefined && { label: t('Balance before'), value: <Exact value={balanceBefore} unit={unit} /> },
          balanceAfter !== undefined && { label: t('Balance after'), value: <Exact value={balanceAfter} unit={unit} />, strong: true },
          receipt.settledAt !== undefined && { label: t('Settled'), value: <Moment at={receipt.settledAt} time /> },
          receipt.txHash !== undefined && {
            label: t('Transaction'),
            value: <ChainTransaction hash={receipt.txHash} url={receipt.txUrl} />,
            stacked: true,
          },
          receipt.transferId !== undefined && {
            label: t('Transfer'),
            value: <span className="font-mono text-xs break-all">{receipt.transferId}</span>,
          },
        ]}
      />
    </>
  )
}

export function receiptLines(receipt: Receipt): string[] {
  return [
    translated(receipt.title),
    t('Receipt: {kind} {id}', { kind: receipt.kind, id: receipt.id }),
    t('Amount: {amount} {unit}', { amount: formatUnits(receipt.amount), unit: unitOf(receipt.asset) }),
    t('From: {label}', { label: t(receipt.from.label) }),
    t('To: {address}', { address: receipt.to.address ?? t(receipt.to.label) }),
    t('Time: {createdAt}', { createdAt: receipt.createdAt.toISOString() }),
  ]
}
