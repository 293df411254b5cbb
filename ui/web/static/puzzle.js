// The form of a puzzle is that of a turn, and is sent as it is.

import './page.js'
import { setUp } from './board.js'

setUp()
