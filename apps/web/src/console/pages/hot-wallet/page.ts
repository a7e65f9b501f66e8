import Flame from 'lucide-react/icons/flame'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'hot-wallet',
  title: 'Hot wallet',
  icon: Flame,
  right: 'staffHotWallet',
  menu: { section: 'Platform', position: 5 },
  load: () => import('./hot-wallet.view.tsx'),
}
