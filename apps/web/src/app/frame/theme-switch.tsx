import { t } from '@tizara/languages'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { IconButton } from '../../ui/icon-button.tsx'
import { useTheme } from '../theme.ts'

/** Toggles light and dark (UI-TOPBAR-04, ST-30). */
export function ThemeSwitch() {
  const [theme, toggle] = useTheme()
  const dark = theme === 'dark'
  return (
    <IconButton label={dark ? t('Switch to light theme') : t('Switch to dark theme')} onClick={toggle}>
      {dark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
    </IconButton>
  )
}
