import { viewAsMember } from '@tizara/contract/staff-member-acts'
import Eye from 'lucide-react/icons/eye'
import { call } from '../../../lib/http/api.ts'
import { openViewTab } from '../../../lib/view-as.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly } from '../../kit/when.ts'
import { useOpenAction } from './use-open-action.ts'
import type { MemberDetail } from './member.queries.ts'

/** Opens the member's pages read-only in a new tab. */
export function ViewAs({ detail }: { detail: MemberDetail }) {
  const { member } = detail
  const me = useMe()
  const may = useMay('viewAsMember')
  const whoCan = useWhoCan('viewAsMember')
  const requested = useOpenAction()
  const why = !may
    ? whoCan
    : member.id === me.person.id
      ? 'This is your own account'
      : member.isStaff
        ? 'Staff have no pages'
        : member.status && member.isVerified
          ? undefined
          : 'A blocked or unverified member has no pages'
  return (
    <>
      <Button
        icon={<Eye size={14} aria-hidden="true" />}
        aria-disabled={why !== undefined}
        title={why}
        onClick={() => requested.ask('view-as')}
      >
        View as member
      </Button>
      {requested.name === 'view-as' && why === undefined && (
        <ActDialog
          title={`View the pages of ${plain(member.name)}`}
          effects={[
            'A tab shows what the member sees, for 10 minutes.',
            'Nothing can be changed in it.',
            'The member sees that staff viewed the account.',
          ]}
          verb="View"
          draft={`view:${member.id}`}
          onDo={async (reason) => {
            const { data } = await call(viewAsMember, { params: { id: member.id }, body: { reason } })
            openViewTab({ token: data.token, name: member.name, endsAt: data.endsAt.toISOString() })
            toast(`Open until ${briefly(data.endsAt)} UTC`)
          }}
          onClose={() => requested.ask(undefined)}
        />
      )}
    </>
  )
}
