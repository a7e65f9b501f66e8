import KeySquare from 'lucide-react/icons/key-square'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'api-keys',
  title: 'API keys',
  icon: KeySquare,
  right: 'staffApiKeys',
  menu: { section: 'Platform', position: 7 },
  load: () => import('./api-keys.view.tsx'),
}
