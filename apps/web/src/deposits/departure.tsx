import { t } from '@tizara/languages'
import ExternalLink from 'lucide-react/icons/external-link'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { webHost } from './use-departure.ts'
import { T } from '../ui/t.tsx'

export interface DepartureProps {
  address: string
  onGo: () => void
  onCancel: () => void
}

/** Announces the redirect to the invoice in two seconds, with a cancel button. */
export function Departure({ address, onGo, onCancel }: DepartureProps) {
  return (
    <div className="flex flex-1 flex-col items-center py-4 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Spinner size={22} label={t('Opening the payment page')} />
      </span>
      <output>
        <span className="mt-4 block text-md font-semi">{t('Opening the payment page')}</span>
        <span className="mt-1 block text-muted">
          <T text="You are going to {address}" address={<b className="font-semi text-ink">{webHost(address)}</b>} />
        </span>
      </output>
      <div className="mt-6 flex w-full gap-2">
        <Button className="flex-1" size="lg" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button className="flex-1" size="lg" variant="primary" icon={<ExternalLink size={16} aria-hidden="true" />} onClick={onGo}>
          {t('Go now')}
        </Button>
      </div>
    </div>
  )
}
