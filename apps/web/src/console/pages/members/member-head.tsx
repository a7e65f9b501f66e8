import { revealMember } from '@tizara/contract/staff-member-acts'
import Eye from 'lucide-react/icons/eye'
import Zap from 'lucide-react/icons/zap'
import { useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../../../lib/http/api.ts'
import { Avatar } from '../../kit/avatar.tsx'
import { allClocks, LocalTime } from '../../kit/local-time.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { fullDay } from '../../kit/when.ts'
import { ACTS } from './actions.tsx'
import { Status } from './status.tsx'
import { ViewAs } from './view-as.tsx'
import type { MemberDetail } from './member.queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'

export function MemberHead({ detail }: { detail: MemberDetail }) {
  const { member, flags } = detail
  return (
    <div className="flex min-w-0 items-start gap-3.5 max-md:flex-wrap">
      <Avatar name={member.name} size="l" />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2 flex-wrap">
          <h2 className="text-xl font-strong tracking-head">{plain(member.name)}</h2>
          <Status row={member} />
          {member.isVerified && <Badge plain>Verified</Badge>}
          {member.rank && <Badge plain>{plain(member.rank).toUpperCase()}</Badge>}
          {member.isSpecialRcm && <Badge plain>Special</Badge>}
          {member.isStaff && <Badge tone="accent">Staff</Badge>}
          {flags.length > 0 && <Badge tone="warning">{flags.length === 1 ? '1 flag' : `${flags.length} flags`}</Badge>}
        </div>
        <div className="flex min-w-0 items-center flex-wrap text-muted mt-1 gap-x-3.5 gap-y-1">
          <span>{plain(member.email)}</span>
          <Phone id={member.id} masked={member.phone} />
          <span>
            Code <span className="font-mono text-xs">{plain(member.myReferralCode)}</span>
          </span>
          <span>
            Sponsor{' '}
            {member.sponsor ? (
              <Link href={`/staff/members/${member.sponsor.id}/timeline`} className="link">
                {plain(member.sponsor.name)}
              </Link>
            ) : (
              'none'
            )}
          </span>
          <span title={allClocks(member.createdAt, member.timeZone)}>Since {fullDay(member.createdAt)}</span>
          {detail.terms !== undefined && (
            <span title={`SHA-256 ${detail.terms.hash}`}>
              Accepted version {detail.terms.version} of the terms of use on {fullDay(detail.terms.acceptedAt)}
              {detail.terms.isInForce ? '' : ', not the version in force'}
            </span>
          )}
          {member.timeZone !== undefined && (
            <span>
              Local time <LocalTime zone={member.timeZone} />
            </span>
          )}
        </div>
      </div>
      <div className="flex min-w-0 items-center gap-2 max-md:w-full">
        <ViewAs detail={detail} />
        <Button icon={<Zap size={14} aria-hidden="true" />} onClick={() => document.getElementById(ACTS)?.focus()}>
          Actions
        </Button>
      </div>
    </div>
  )
}

/** Shows a masked phone number. Showing it in full is written to the audit log. */
function Phone({ id, masked }: { id: string; masked: string }) {
  const may = useMay('revealMember')
  const whoCan = useWhoCan('revealMember')
  const [shown, setShown] = useState<string>()
  async function show(): Promise<void> {
    try {
      const { data } = await call(revealMember, { params: { id }, body: { field: 'phone' } })
      setShown(data.values[0] ?? '')
    } catch (error) {
      setShown(toApiError(error).message)
    }
  }
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="font-mono text-xs">{plain(shown ?? masked)}</span>
      {shown === undefined && masked !== '' && (
        <SendButton
          size="sm"
          icon={<Eye size={12} aria-hidden="true" />}
          aria-label="Show the phone number"
          aria-disabled={!may}
          title={may ? 'Written to the audit log' : whoCan}
          onClick={show}
        >
          Show
        </SendButton>
      )}
    </span>
  )
}
