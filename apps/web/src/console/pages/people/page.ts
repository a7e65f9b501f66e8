import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'roles',
  title: 'Staff and roles',
  icon: ShieldCheck,
  key: 's',
  right: 'staffPeople',
  menu: { section: 'Audit', position: 3 },
  load: () => import('./people.view.tsx'),
}
