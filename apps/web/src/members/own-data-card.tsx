import { listPasskeys } from '@tizara/contract/passkeys'
import { startOwnData } from '@tizara/contract/own-data'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { JobFile } from '../lib/job-file.tsx'
import { lacksProof, NO_PROOF, ProofField, proofOf, sendByPasskey } from '../lib/proof-field.tsx'
import { read } from '../lib/query.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { Dialog, DialogFooter } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { refusalText } from './refusal-text.ts'
import { REQUIRED } from './second-factor-setup.tsx'

export interface OwnDataCardProps {
  /** True if the member proves with the authenticator app. */
  withApp: boolean
  className?: string
}

/** Downloads everything that the product stores about the member, as one ZIP file. */
export default function OwnDataCard({ withApp, className }: OwnDataCardProps) {
  const [isOpen, setOpen] = useState(false)
  const [jobId, setJobId] = useState<string>()
  return (
    <Card className={className}>
      <CardHeader
        title="Your data"
        hint="Everything that we store about you, in one ZIP file with tables and your pictures. Three times a day at most."
      />
      <div className="flex flex-wrap items-center gap-2.5">
        <Button onClick={() => setOpen(true)}>Download my data</Button>
        {jobId !== undefined && <JobFile key={jobId} id={jobId} onError={(error) => toast(refusalText(error), { tone: 'danger' })} />}
      </div>
      {isOpen && <ProofDialog withApp={withApp} onStart={setJobId} onClose={() => setOpen(false)} />}
    </Card>
  )
}

interface ProofDialogProps {
  withApp: boolean
  onStart: (jobId: string) => void
  onClose: () => void
}

function ProofDialog({ withApp, onStart, onClose }: ProofDialogProps) {
  const { data: passkeys = [] } = useQuery({ ...read(listPasskeys), enabled: withApp })
  const kind = withApp ? 'otp' : 'password'
  const form = useForm({
    initial: NO_PROOF,
    validate: (values): { proof?: string } => (lacksProof(values) ? { proof: REQUIRED } : {}),
    onSubmit: async (values) => {
      onStart((await call(startOwnData, { body: await proofOf(kind, values) })).data.jobId)
      onClose()
    },
    onError: (error) => ({ form: refusalText(error) }),
  })
  return (
    <Dialog open title="Download my data" onClose={onClose} closable={!form.pending}>
      <form {...form.props} className="space-y-4">
        {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
        <p className="text-muted">The file has your addresses, devices and messages. We mail you that it was requested. Store it safely.</p>
        <ProofField
          kind={kind}
          field={form.field('proof')}
          error={form.errors.proof}
          pending={form.pending}
          onPasskey={passkeys.length > 0 ? () => sendByPasskey(form) : undefined}
        />
        <DialogFooter>
          <Button type="submit" variant="primary" pending={form.pending}>
            Create the file
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
