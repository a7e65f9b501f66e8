import { calendarLink } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast.tsx'

/** Creates the private calendar URL with due days and shows it. */
export function CalendarDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [address, setAddress] = useState<string>()
  const [failure, setFailure] = useState<string>()

  async function make(): Promise<void> {
    setFailure(undefined)
    try {
      const { data } = await call(calendarLink)
      setAddress(new URL(data.url, location.href).href)
    } catch (error) {
      setFailure(toApiError(error).message)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('Add to calendar')}
      description={t('Your calendar app can follow the days on which rewards and maturities are due.')}
    >
      {failure !== undefined && (
        <Notice tone="danger" className="mb-4">
          {failure}
        </Notice>
      )}
      {address === undefined ? (
        <>
          <p className="mb-5 text-sm text-muted">
            {t('The calendar link is private: everyone who has it can read your due dates. A new link replaces the old one.')}
          </p>
          <Button variant="primary" size="lg" block onClick={make}>
            {t('Create the link')}
          </Button>
        </>
      ) : (
        <>
          <CopyField value={address} label={t('Calendar link')} onCopied={() => toast(t('Copied'))} />
          <a href={address.replace(/^https?:/, 'webcal:')} className={buttonClass('primary', 'lg', 'mt-5 w-full')}>
            {t('Open in the calendar app')}
          </a>
        </>
      )}
    </Dialog>
  )
}
