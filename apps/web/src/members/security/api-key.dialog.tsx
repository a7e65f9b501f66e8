import type { ReplyOf } from '@tizara/contract'
import { createApiKey, listApiKeys } from '@tizara/contract/api-keys'
import { listPasskeys } from '@tizara/contract/passkeys'
import { useQuery } from '@tanstack/react-query'
import { t, texts } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { lacksProof, NO_PROOF, ProofField, proofOf, sendByPasskey } from '../../lib/proofs/proof-field.tsx'
import { read, refetch } from '../../lib/http/query.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { useForm } from '../../ui/use-form.ts'
import { rejectionText } from '../addresses/rejection-text.ts'
import { T } from '../../ui/t.tsx'

export interface ApiKeyDialogProps {
  rights: ReplyOf<typeof listApiKeys>['rights']
  /** True if the member proves with the authenticator app. */
  withApp: boolean
  onClose: () => void
}

const DAYS = texts('label', [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
] as const)

/** Creates an API key, and shows it once. */
export default function ApiKeyDialog({ rights, withApp, onClose }: ApiKeyDialogProps) {
  const [key, setKey] = useState<string>()
  return (
    <Dialog open title={t('Create an API key')} onClose={onClose}>
      {key === undefined ? (
        <Create rights={rights} withApp={withApp} onKey={setKey} />
      ) : (
        <div className="space-y-4">
          <Notice tone="warning">{t('Copy the key now. It is shown only once.')}</Notice>
          <CopyField value={key} label={t('API key')} />
          <p className="text-sm text-muted">
            <T
              text="Send it with each call as <code>Authorization: Bearer</code> and the key."
              code={(content) => <code>{content}</code>}
            />
          </p>
          <DialogFooter>
            <Button variant="primary" onClick={onClose}>
              {t('Done')}
            </Button>
          </DialogFooter>
        </div>
      )}
    </Dialog>
  )
}

function Create({ rights, withApp, onKey }: Omit<ApiKeyDialogProps, 'onClose'> & { onKey: (key: string) => void }) {
  const { data: passkeys = [] } = useQuery({ ...read(listPasskeys), enabled: withApp })
  const groups = [...new Set(rights.map(({ group }) => group))]
  const kind = withApp ? 'otp' : 'password'
  const form = useForm({
    initial: { name: '', groups: [] as readonly string[], networks: '', days: '90', ...NO_PROOF },
    validate: ({ name, groups: chosen, ...proof }): { name?: string; groups?: string; proof?: string } => ({
      ...(name.trim() === '' && { name: t('This field is required') }),
      ...(chosen.length === 0 && { groups: t('Choose at least one') }),
      ...(lacksProof(proof) && { proof: t('This field is required') }),
    }),
    onSubmit: async ({ name, groups: chosen, networks, days, ...proof }) => {
      const input = {
        name: name.trim(),
        rights: rights.filter(({ group }) => chosen.includes(group)).map((right) => right.name),
        networks: networks.split(/[\s,]+/).filter(Boolean),
        days: Number(days),
      }
      onKey((await call(createApiKey, { body: { ...input, ...(await proofOf(kind, proof)) } })).data.key)
      await refetch(listApiKeys)
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  const { groups: chosen } = form.values
  return (
    <DialogForm form={form} submit={t('Create key')}>
      <Field label={t('Name')} hint={t('The software that uses it.')} error={form.errors.name}>
        <Input {...form.field('name')} autoComplete="off" maxLength={60} />
      </Field>
      <Field label={t('May read')} group error={form.errors.groups}>
        <ul className="grid gap-x-4 sm:grid-cols-2">
          {groups.map((group) => (
            <li key={group}>
              <label className="flex min-h-9 items-center gap-2">
                <input
                  type="checkbox"
                  name="groups"
                  className="size-4 accent-accent"
                  checked={chosen.includes(group)}
                  onChange={({ target }) => form.set('groups', target.checked ? [...chosen, group] : chosen.filter((one) => one !== group))}
                />
                {t(group)}
              </label>
            </li>
          ))}
        </ul>
      </Field>
      <Field label={t('Expires after')}>
        <Select {...form.field('days')} options={DAYS} />
      </Field>
      <Field
        label={t('Only from these networks')}
        hint={t('One per line, such as 192.0.2.0/24. If empty, the key is valid from everywhere.')}
      >
        <Textarea {...form.field('networks')} rows={2} autoCapitalize="none" spellCheck={false} />
      </Field>
      <ProofField
        kind={kind}
        field={form.field('proof')}
        error={form.errors.proof}
        pending={form.pending}
        onPasskey={passkeys.length > 0 ? () => sendByPasskey(form) : undefined}
      />
    </DialogForm>
  )
}
