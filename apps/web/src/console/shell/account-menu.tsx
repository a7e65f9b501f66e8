import KeyRound from 'lucide-react/icons/key-round'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { PopoverMenu } from '../../ui/popover-menu.tsx'
import { useMe } from '../kit/me.tsx'
import { plain } from '../kit/strip-control-characters.ts'

const SecondFactor = lazy(() => import('./second-factor.tsx'))

export interface AccountMenuProps {
  /** Content of the button: the person, or the avatar on phones. */
  trigger: ReactNode
  triggerClass: string
  /** Opens the list of keys. */
  onShortcuts: () => void
  onSignOut: () => Promise<void>
}

/** Account menu of the signed-in person: keys, authenticator app, log-out. */
export function AccountMenu({ trigger, triggerClass, onShortcuts, onSignOut }: AccountMenuProps) {
  const me = useMe()
  const [isSettingUp, setSettingUp] = useState(false)
  return (
    <>
      <PopoverMenu
        label={`Account of ${plain(me.person.name)}`}
        trigger={trigger}
        triggerClass={triggerClass}
        header={<span className="text-xs text-muted">{plain(me.person.email)}</span>}
        items={[
          { key: 'keys', label: 'Keyboard shortcuts', icon: <Keyboard size={14} />, onSelect: onShortcuts },
          { key: 'authenticator', label: 'Authenticator app', icon: <KeyRound size={14} />, onSelect: () => setSettingUp(true) },
          { key: 'log-out', label: 'Log Out', icon: <LogOut size={14} />, onSelect: () => void onSignOut() },
        ]}
      />
      <Suspense fallback={null}>{isSettingUp && <SecondFactor onClose={() => setSettingUp(false)} />}</Suspense>
    </>
  )
}
