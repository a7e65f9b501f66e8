import { pendingEmail } from '@tizara/contract/contact-details'
import type { MemberProfile } from '@tizara/contract/members'
import { useQuery } from '@tanstack/react-query'
import { t, texts } from '@tizara/languages'
import { lazy, Suspense, useState } from 'react'
import { Moment } from '../lib/moment.tsx'
import { read } from '../lib/http/query.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { ImageRow } from './image-row.tsx'
import type { ContactPart } from './contact.dialog.tsx'
import { T } from '../ui/t.tsx'

const ContactDialog = lazy(() => import('./contact.dialog.tsx'))
const NAMES: Readonly<Record<ContactPart, string>> = texts({ name: 'Name', phone: 'Phone', email: 'Email' })

/** Image, name, phone number and email address, each with its change. */
export default function ContactRows({ member }: { member: MemberProfile }) {
  const { data } = useQuery(read(pendingEmail))
  const [part, setPart] = useState<ContactPart>()
  const row = (of: ContactPart, value: string) => ({
    label: NAMES[of],
    value: (
      <span className="inline-flex min-w-0 flex-wrap items-center justify-end gap-2">
        <span dir={of === 'name' ? 'auto' : 'ltr'} className="min-w-0 break-all">
          {value}
        </span>
        <Button size="sm" aria-label={t('Change {names}', { names: NAMES[of].toLowerCase() })} onClick={() => setPart(of)}>
          {t('Change')}
        </Button>
      </span>
    ),
  })
  return (
    <>
      <ImageRow member={member} />
      <DescriptionList rows={[row('name', member.name), row('phone', member.phone ?? ''), row('email', member.email ?? '')]} />
      {data?.pending && (
        <Notice tone="info" className="mt-3">
          <T
            text="{email} awaits your confirmation: open the link that we mailed to it by {moment}."
            email={data.pending.email}
            moment={<Moment at={data.pending.until} time />}
          />
        </Notice>
      )}
      {part !== undefined && (
        <Suspense fallback={null}>
          <ContactDialog part={part} member={member} onClose={() => setPart(undefined)} />
        </Suspense>
      )}
    </>
  )
}
