import { startOwnData } from '@tizara/contract/own-data'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../lib/http/api.ts'
import { JobFile } from '../lib/lists/job-file.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast-store.ts'
import { ProofForm } from './security/proof-form.tsx'
import { rejectionText } from './addresses/rejection-text.ts'

export interface OwnDataCardProps {
  /** True if the member proves with the authenticator app. */
  withApp: boolean
}

/** Downloads everything that the product stores about the member, as one ZIP file. */
export default function OwnDataCard({ withApp }: OwnDataCardProps) {
  const [isOpen, setOpen] = useState(false)
  const [jobId, setJobId] = useState<string>()
  return (
    <Card>
      <CardHeader
        title={t('Copy of your data')}
        hint={t('Everything that we store about you, in one ZIP file with tables and your images. Three times a day at most.')}
      />
      <div className="flex flex-wrap items-center gap-2.5">
        <Button onClick={() => setOpen(true)}>{t('Download my data')}</Button>
        {jobId !== undefined && <JobFile key={jobId} id={jobId} onError={(error) => toast(rejectionText(error), { tone: 'danger' })} />}
      </div>
      {isOpen && (
        <Dialog open title={t('Download my data')} onClose={() => setOpen(false)}>
          <ProofForm
            withApp={withApp}
            submit={t('Create the file')}
            variant="primary"
            onProof={async (proof) => {
              setJobId((await call(startOwnData, { body: proof })).data.jobId)
              setOpen(false)
            }}
          >
            <p className="text-muted">
              {t('The file has your addresses, devices and messages. We mail you that it was requested. Store it safely.')}
            </p>
          </ProofForm>
        </Dialog>
      )}
    </Card>
  )
}
