import { chooseLanguage, languages, type OfferedLanguage } from '@tizara/contract/languages'
import { myTeam, profile } from '@tizara/contract/members'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { languageOf, languagesOf, offeredOf } from '../../platform/config/languages.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { setLanguage } from './change-member.ts'
import { listMyTeam } from './list-my-team.ts'
import { type MemberPorts, readProfile } from './read-profile.ts'

const ENGLISH: OfferedLanguage = { language: 'en', name: 'English', direction: 'ltr', reviewed: true, address: '' }

/** Binds the routes on the member's own account. */
export function memberRoutes(bind: Bind, ports: MemberPorts): void {
  bind.read(profile, async ({ db, deps, viewer }) => answer(await readProfile(db, ports, viewer, deps.clock.now())), {
    blockedMayCall: true,
  })
  bind.read(languages, async ({ deps }) => answer([ENGLISH, ...languagesOf(deps.config).offered.map(offeredOf)]))
  bind.write(chooseLanguage, async ({ tx, deps, viewer, body: { language } }) => {
    if (language !== null && language !== ENGLISH.language && languageOf(deps.config, language) === undefined)
      throw new AppError('INVALID_INPUT', {}, [{ path: 'language', message: 'This language is not offered' }])
    await setLanguage(tx, viewer.memberId, language)
    return answer({ language }, 'Your language is changed')
  })
  bind.read(myTeam, async ({ db, viewer, query }) => answer(await listMyTeam(db, viewer.memberId, query)))
}
