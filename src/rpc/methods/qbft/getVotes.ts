import { getVotes } from '../shared/getVotes.ts'

export const qbft_getVotes = getVotes('qbft')
