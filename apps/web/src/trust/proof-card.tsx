import type { Asset } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { toApiError } from '../lib/http/api-error.ts'
import { saveFile } from '../lib/http/load-file.ts'
import { useProfile } from '../members/index.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { canCheck, checkProof, type CheckOutcome } from './check-proof.ts'
import type { CheckedHistory } from './read-history.ts'
import { useCheckedHistory, useMyProof } from './trust.queries.ts'
import { T } from '../ui/t.tsx'

/** Checks on this device that the published trees include the member's amounts, and offers the proof as a file. */
export function ProofCard({ history, unitOf }: { history: CheckedHistory; unitOf: (asset: Asset) => string }) {
  const { data: proof, error } = useMyProof()
  const member = useProfile().data?.id
  const { refetch } = useCheckedHistory()
  const [outcome, setOutcome] = useState<CheckOutcome>()
  const isLeftOut = error !== null && toApiError(error).statusCode === 404
  async function check(): Promise<void> {
    if (proof === undefined) return
    const found = await checkProof(proof, member, history.rows)
    // The proof can be of a day that was published after the history was loaded.
    const fresh = found.refused?.code === 'statement' ? (await refetch()).data : undefined
    setOutcome(fresh === undefined ? found : await checkProof(proof, member, fresh.rows))
  }
  const download = (name: string, content: unknown) =>
    saveFile(name, new Blob([`${JSON.stringify(content, null, 1)}\n`], { type: 'application/json' }))
  return (
    <Card aria-labelledby="proof" className="lg:col-span-2">
      <CardHeader
        id="proof"
        title={t('Check your own amounts')}
        hint={t('Your browser recomputes the published numbers from your amounts. Nothing is sent.')}
      />
      {isLeftOut && (
        <Notice tone="warning" title={t('You are not in this tree')}>
          {t(
            'Members who signed up after it was published are counted from the next day on. If you were a member before, please open a ticket: proofs of other members cannot show that you are missing.',
          )}
        </Notice>
      )}
      <div className="mt-4 space-y-3" aria-live="polite">
        {outcome?.proof !== undefined && (
          <Notice tone="success" title={t('Your amounts are part of the published numbers')}>
            <T
              text="Checked on this device from four parts of your amounts and their paths to the root. Compare the amounts with your wallets on {day}."
              day={outcome.proof.statement.day}
            />
          </Notice>
        )}
        {outcome?.proof !== undefined && (
          <DescriptionList
            rows={(['usd', 'coin'] as const).flatMap((asset) => [
              {
                key: `owed ${asset}`,
                label: t('Owed to you in {unit}', { unit: unitOf(asset) }),
                value: <Money value={outcome.proof.owed[asset]} unit={unitOf(asset)} />,
              },
              {
                key: `promised ${asset}`,
                label: t('Promised to you in {unit}', { unit: unitOf(asset) }),
                value: <Money value={outcome.proof.promised[asset]} unit={unitOf(asset)} />,
              },
            ])}
          />
        )}
        {outcome?.refused !== undefined && (
          <Notice tone="danger" title={t('Your amounts do not lead to the published numbers')}>
            <T text="{message}. Please download the proof and attach it to a ticket." message={t(outcome.refused.message)} />
          </Notice>
        )}
        {!canCheck() && <p className="text-sm text-muted">{t('This browser can check only over a secure connection.')}</p>}
        <div className="flex flex-wrap gap-3">
          <Button onClick={check} disabled={proof === undefined || !canCheck() || history.error !== null}>
            {t('Check my amounts')}
          </Button>
          <Button variant="secondary" onClick={() => download('proof.json', proof)} disabled={proof === undefined}>
            {t('Download proof.json')}
          </Button>
          <Button variant="secondary" onClick={() => download('history.json', history.rows)} disabled={history.rows.length === 0}>
            {t('Download history.json')}
          </Button>
          <a className={buttonClass('secondary')} href="/proof-checker.html" download>
            {t('Download the checker')}
          </a>
        </div>
        <p className="text-sm text-muted">
          {t(
            'You can check these files without this app and without a network: open the checker in any browser, or follow the documented format.',
          )}
        </p>
        <h3 className="text-sm font-strong">{t('What a proof reveals')}</h3>
        <ul className="list-disc space-y-1 ps-5 text-sm text-muted">
          <li>{t('Your id and your own amounts. Give the file only to people who may see them.')}</li>
          <li>
            {t(
              'Hashes, and partial sums next to your path. Each member’s amounts are split at random into four parts at random places, so a partial sum is at least one part of an unknown member’s amount: it shows no member’s balance.',
            )}
          </li>
        </ul>
      </div>
    </Card>
  )
}
