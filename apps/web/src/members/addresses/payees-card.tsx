import type { ReplyOf } from '@tizara/contract'
import { namePayee, payees } from '@tizara/contract/transfers'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import UserRound from 'lucide-react/icons/user-round'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { read, refetch } from '../../lib/http/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useForm } from '../../ui/use-form.ts'
import { rejectionText } from './rejection-text.ts'

type Payee = ReplyOf<typeof payees>['data'][number]

/** People that the member sent USD to, with the names that the member gives (MF-09). Hidden without people, and on other servers. */
export default function PayeesCard({ className }: { className?: string }) {
  const people = useQuery(read(payees)).data?.data ?? []
  const [opened, setOpened] = useState<Payee>()
  if (people.length === 0) return null
  return (
    <Card className={className}>
      <CardHeader
        title={t('People you send to')}
        hint={t('A name appears in the transfer form, in your activity and on receipts. Only you see it.')}
      />
      <ul className="divide-y">
        {people.map((payee) => (
          <li key={payee.email} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <UserRound size={18} aria-hidden="true" className="text-faint" />
            <div className="min-w-0 flex-1 basis-48">
              <p className="font-medium break-words">{payee.name ?? payee.initials}</p>
              <p className="text-sm break-all text-muted">{payee.email}</p>
            </div>
            <Button
              size="sm"
              aria-label={
                payee.name === undefined ? t('Give a name to {email}', { email: payee.email }) : t('Rename {email}', { email: payee.email })
              }
              onClick={() => setOpened(payee)}
            >
              {payee.name === undefined ? t('Give a name') : t('Rename')}
            </Button>
          </li>
        ))}
      </ul>
      {opened !== undefined && <NameDialog payee={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  )
}

function NameDialog({ payee: { email, name = '' }, onClose }: { payee: Payee; onClose: () => void }) {
  const form = useForm({
    initial: { name },
    onSubmit: async (values) => {
      await call(namePayee, { body: { email, name: values.name.trim() } })
      toast(values.name.trim() === '' ? t('The name is removed.') : t('The name is saved.'))
      onClose()
      await refetch(payees)
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <Dialog open title={t('Name this person')} description={email} onClose={onClose} closable={!form.pending}>
      <DialogForm form={form} submit={t('Save')}>
        <Field label={t('Name')} hint={t('Leave it empty to remove the name.')}>
          <Input {...form.field('name')} autoComplete="off" maxLength={60} />
        </Field>
      </DialogForm>
    </Dialog>
  )
}
