import type { ReplyOf } from '@tizara/contract'
import { staffActions } from '@tizara/contract/members'
import { useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../lib/http/api.ts'
import { Moment } from '../lib/moment.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'

/** Lists staff actions on the member's account with time and role. */
export default function StaffActionsCard({ className }: { className?: string }) {
  const [pages, setPages] = useState(1)
  const { data, isPending, error } = useQuery({
    queryKey: [staffActions.name, pages],
    queryFn: () => readPages(pages),
    placeholderData: (before) => before,
  })
  // Errors are only logged (ER-67): servers that implement only the specification lack this call.
  if (error !== null) return null
  return (
    <Card className={className}>
      <CardHeader
        title={t('Staff actions on my account')}
        hint={t('All actions and views of your account by our staff. Questions? Open a ticket.')}
      />
      {isPending ? (
        <SkeletonText lines={2} />
      ) : data.rows.length === 0 ? (
        <p className="text-muted">{t('No staff actions yet.')}</p>
      ) : (
        <ul className="divide-y">
          {data.rows.map((row) => (
            <li key={row.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
              <p className="min-w-0 flex-1 basis-48">{row.text}</p>
              <Badge plain>{row.role}</Badge>
              <span className="text-sm text-muted">
                <Moment at={row.at} time />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data?.more === true && (
        <Button size="sm" className="mt-3" onClick={() => setPages(pages + 1)}>
          {t('Show earlier ones')}
        </Button>
      )}
    </Card>
  )
}

/** Loads this many pages as one list. */
async function readPages(pages: number) {
  const rows: ReplyOf<typeof staffActions>['rows'] = []
  let more = true
  for (let page = 0; page < pages && more; page += 1) {
    const before = rows.at(-1)?.id
    const { data } = await call(staffActions, before === undefined ? {} : { query: { before } })
    rows.push(...data.rows)
    more = data.more
  }
  return { rows, more }
}
