import { getValidatorsByBlockNumber } from '../shared/getValidatorsByBlockNumber.ts'

export const qbft_getValidatorsByBlockNumber = getValidatorsByBlockNumber('qbft')
