import { revealMember } from '@tizara/contract/staff-member-acts'
import Eye from 'lucide-react/icons/eye'
import Zap from 'lucide-react/icons/zap'
import { useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../../../lib/api.ts'
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

export function MemberHead({ detail }: { detail: MemberDetail }) {
  const { member, flags } = detail
  return (
    <div className="row who3">
      <Avatar name={member.name} size="l" />
      <div className="grow">
        <div className="row wrap">
          <h2 className="title">{plain(member.name)}</h2>
          <Status row={member} />
          {member.isVerified && <span className="badge p">Verified</span>}
          {member.rank && <span className="badge p">{plain(member.rank).toUpperCase()}</span>}
          {member.isSpecialRcm && <span className="badge p">Special</span>}
          {member.isStaff && <span className="badge acc">Staff</span>}
          {flags.length > 0 && <span className="badge warn">{flags.length === 1 ? '1 flag' : `${flags.length} flags`}</span>}
        </div>
        <div className="row wrap mut mt4" style={{ gap: '4px 14px' }}>
          <span>{plain(member.email)}</span>
          <Phone id={member.id} masked={member.phone} />
          <span>
            Code <span className="mono">{plain(member.myReferralCode)}</span>
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
          {member.timeZone !== undefined && (
            <span>
              Local time <LocalTime zone={member.timeZone} />
            </span>
          )}
        </div>
      </div>
      <div className="row head-acts">
        <ViewAs detail={detail} />
        <button type="button" className="btn" onClick={() => document.getElementById(ACTS)?.focus()}>
          <Zap size={14} aria-hidden="true" /> Actions
        </button>
      </div>
    </div>
  )
}

/** A number of which only the ends stand here; showing it is written down. */
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
    <span className="row" style={{ gap: 5 }}>
      <span className="mono">{plain(shown ?? masked)}</span>
      {shown === undefined && masked !== '' && (
        <SendButton
          className="btn sm"
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
