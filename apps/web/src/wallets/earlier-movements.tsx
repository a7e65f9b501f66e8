import { earlierMovements } from '@tizara/contract/wallets-movements'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { unitOf } from '../lib/asset-unit.ts'
import { call } from '../lib/http/api.ts'
import { formatDate, formatUtc } from '../lib/format.ts'
import type { ReceiptRef } from '../lib/receipts/receipt-link.ts'
import { ReceiptDrawer } from '../lib/receipts/receipt-drawer.tsx'
import { useCursorPages } from '../lib/lists/use-cursor-pages.ts'
import { Button } from '../ui/button.tsx'
import { Money } from '../ui/money.tsx'

/** Lists the movements on the platform that the member came from. Shows nothing for all other members. */
export function EarlierMovements() {
  const { data, isPlaceholderData, more } = useCursorPages(earlierMovements.name, {}, async (before, signal) => {
    const { data: rows, next } = (await call(earlierMovements, { query: before, signal })).data
    return { rows, next }
  })
  const [opened, setOpened] = useState<ReceiptRef>()
  if (data === undefined || data.rows.length === 0) return null
  return (
    <section aria-labelledby="earlier-movements" className="mt-8 min-w-0">
      <h2 id="earlier-movements" className="text-lg font-strong">
        {t('Before the move')}
      </h2>
      <p className="mt-1 mb-3 text-sm text-muted">
        {t('Records of the platform that your account came from. Your balances contain them already, and no sum counts them.')}
      </p>
      <ul className="rounded-xl border bg-surface">
        {data.rows.map(({ id, receipt, createdAt, title, direction, asset, amount }) => (
          <li key={id} className="border-b last:border-0">
            <button
              type="button"
              onClick={() => setOpened(receipt)}
              className="flex w-full items-center gap-4 px-4 py-3 text-start transition-colors hover:bg-raised"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-semi wrap-anywhere">{title}</span>
                <time dateTime={createdAt.toISOString()} title={formatUtc(createdAt)} className="block text-sm text-muted">
                  {formatDate(createdAt)}
                </time>
              </span>
              <Money
                value={direction === 'out' ? -amount : amount}
                unit={unitOf(asset)}
                sign={direction === 'in' ? 'always' : 'auto'}
                className="shrink-0 font-semi"
              />
            </button>
          </li>
        ))}
      </ul>
      {data.next !== undefined && (
        <Button className="mt-3" pending={isPlaceholderData} onClick={more}>
          {t('Show more')}
        </Button>
      )}
      <ReceiptDrawer open={opened !== undefined} onClose={() => setOpened(undefined)} subject={t('Before the move')} receipt={opened} />
    </section>
  )
}
