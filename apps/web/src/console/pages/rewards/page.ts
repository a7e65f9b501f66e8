import Coins from 'lucide-react/icons/coins'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'rewards',
  title: 'Rewards and pool',
  icon: Coins,
  key: 'r',
  right: 'staffRewardPool',
  menu: { section: 'Platform', position: 1 },
  load: () => import('./rewards.view.tsx'),
}
