import type { Receipt } from '@tizara/contract/wallets'
import { formatUnits } from '@tizara/money'
import { Address, ChainTransaction } from '../ui/address.tsx'
import { Badge } from '../ui/badge.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { unitOf } from './asset-unit.ts'
import { Moment } from './moment.tsx'

type Party = Receipt['from']

function Exact({ value, unit }: { value: bigint; unit: string }) {
  return <Money value={value} unit={unit} decimals="exact" />
}

function partyRow(label: string, party: Party) {
  return party.address === undefined
    ? { key: label, label, value: party.label }
    : { key: label, label, value: <Address value={party.address} />, hint: party.label, stacked: true }
}

/** Longest name plus value, in characters, that fits on one line on phones. */
const MAX_LINE_CHARACTERS = 42

/** Renders a receipt line; amounts and times use the common formats. */
function Line({ line, asset }: { line: Receipt['lines'][number]; asset: Receipt['asset'] }) {
  if (line.at !== undefined) return <Moment at={line.at} time />
  return line.amount === undefined ? line.value : <Exact value={line.amount} unit={unitOf(line.asset ?? asset)} />
}

/** Shows a movement's details: source, destination, rule and resulting balances. */
export function ReceiptView({ receipt }: { receipt: Receipt }) {
  const unit = unitOf(receipt.asset)
  const { base, rate, fee, balanceBefore, balanceAfter } = receipt
  return (
    <>
      <p className="text-sm text-faint">{receipt.title}</p>
      <Money value={receipt.amount} unit={unit} decimals="exact" className="mt-0.5 block text-3xl font-strong tracking-num" />
      <p className="mt-1 mb-4 flex flex-wrap items-center gap-2 text-sm text-faint">
        <Moment at={receipt.createdAt} time />
        {receipt.status !== undefined && <Badge>{receipt.status.toUpperCase()}</Badge>}
      </p>
      <DescriptionList
        rows={[
          partyRow('From', receipt.from),
          partyRow('To', receipt.to),
          receipt.sourceLabel !== undefined && { label: 'Source', value: receipt.sourceLabel },
          receipt.sourceMember !== undefined && { label: 'Member', value: receipt.sourceMember },
          receipt.level !== undefined && { label: 'Level', value: receipt.level },
          receipt.rule !== undefined && {
            label: 'Rule',
            value: <span className="inline-block first-letter:uppercase">{receipt.rule}</span>,
            hint: receipt.ruleVersion?.replace(/^\d+$/, 'version $&'),
            stacked: receipt.rule.length > 40,
          },
          base !== undefined && {
            label: receipt.baseLabel ?? 'Calculated from',
            value: <Exact value={base} unit={unitOf(receipt.baseAsset ?? receipt.asset)} />,
          },
          rate !== undefined && {
            label: 'Rate',
            value: [formatUnits(rate), receipt.rateUnit].filter((part) => part !== undefined).join(' '),
          },
          fee !== undefined && { label: 'Fee', value: <Exact value={fee} unit={unit} /> },
          ...receipt.lines.map((line) => ({
            key: line.label,
            label: line.label,
            value: <Line line={line} asset={receipt.asset} />,
            stacked: line.label.length + line.value.length > MAX_LINE_CHARACTERS,
          })),
          balanceBefore !== undefined && { label: 'Balance before', value: <Exact value={balanceBefore} unit={unit} /> },
          balanceAfter !== undefined && { label: 'Balance after', value: <Exact value={balanceAfter} unit={unit} />, strong: true },
          receipt.settledAt !== undefined && { label: 'Settled', value: <Moment at={receipt.settledAt} time /> },
          receipt.txHash !== undefined && {
            label: 'Transaction',
            value: <ChainTransaction hash={receipt.txHash} url={receipt.txUrl} />,
            stacked: true,
          },
          receipt.transferId !== undefined && {
            label: 'Transfer',
            value: <span className="font-mono text-xs break-all">{receipt.transferId}</span>,
          },
        ]}
      />
    </>
  )
}

export function receiptLines(receipt: Receipt): string[] {
  return [
    receipt.title,
    `Receipt: ${receipt.kind} ${receipt.id}`,
    `Amount: ${formatUnits(receipt.amount)} ${unitOf(receipt.asset)}`,
    `From: ${receipt.from.label}`,
    `To: ${receipt.to.address ?? receipt.to.label}`,
    `Time: ${receipt.createdAt.toISOString()}`,
  ]
}
