import Users from 'lucide-react/icons/users'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'members',
  title: 'Members',
  icon: Users,
  key: 'm',
  right: 'staffMembers',
  menu: { section: 'People', position: 1, onPhone: true },
  load: () => import('./members.view.tsx'),
}
