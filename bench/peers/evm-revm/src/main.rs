//! The workloads of bench/evm.ts on revm.
//!
//! Argument: the file with the workloads. Each line of standard input names one; it is run once, from a fresh state, and
//! answered with a line of JSON: gas, CPU seconds of the thread, the last output.

use revm::{
    Context, ExecuteCommitEvm, MainBuilder, MainContext,
    bytecode::Bytecode,
    context::TxEnv,
    database::{CacheDB, EmptyDB},
    primitives::{Address, Bytes, TxKind, U256, hardfork::SpecId, hex},
    state::AccountInfo,
};
use serde::Deserialize;
use std::{collections::HashMap, io::BufRead};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    #[serde(default)]
    code: String,
    #[serde(default)]
    balance: String,
    #[serde(default)]
    storage: HashMap<String, String>,
    #[serde(default)]
    filled_slots: u64,
}

#[derive(Deserialize)]
struct Call {
    to: Option<String>,
    data: String,
}

#[derive(Deserialize)]
struct Workload {
    name: String,
    accounts: HashMap<String, Account>,
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Input {
    sender: String,
    gas: u64,
    workloads: Vec<Workload>,
}

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
}

/// Time that this thread has worked.
fn cpu_seconds() -> f64 {
    const THREAD_CPUTIME: i32 = 3;
    let mut time = [0i64; 2];
    unsafe { clock_gettime(THREAD_CPUTIME, &mut time) };
    time[0] as f64 + time[1] as f64 / 1e9
}

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

fn word(text: &str) -> U256 {
    U256::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or_default()
}

fn state(workload: &Workload) -> CacheDB<EmptyDB> {
    let mut db = CacheDB::new(EmptyDB::new());
    for (text, account) in &workload.accounts {
        let address = address(text);
        let code = Bytecode::new_raw(hex::decode(&account.code).unwrap().into());
        let balance = word(&account.balance);
        db.insert_account_info(
            address,
            AccountInfo { nonce: 1, balance, code_hash: code.hash_slow(), code: Some(code), ..Default::default() },
        );
        for (slot, value) in &account.storage {
            db.insert_account_storage(address, word(slot), word(value)).unwrap();
        }
        for i in 0..account.filled_slots {
            db.insert_account_storage(address, U256::from(i), U256::from(i + 1)).unwrap();
        }
    }
    db
}

/// What a transaction costs before its code runs, which the workloads do not count.
fn intrinsic_gas(kind: TxKind, data: &[u8]) -> u64 {
    let bytes: u64 = data.iter().map(|byte| if *byte == 0 { 4 } else { 16 }).sum();
    let creation = 32_000 + 2 * data.len().div_ceil(32) as u64;
    21_000 + bytes + if kind == TxKind::Create { creation } else { 0 }
}

fn main() {
    let file = std::env::args().nth(1).expect("a file of workloads");
    let input: Input = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for line in std::io::stdin().lock().lines() {
        let name = line.unwrap();
        let workload = input.workloads.iter().find(|workload| workload.name == name).expect("a known workload");
        let mut evm = Context::mainnet()
            .with_db(state(workload))
            .modify_cfg_chained(|config| {
                config.disable_nonce_check = true;
                config.set_spec_and_mainnet_gas_params(SpecId::CANCUN);
                config.tx_gas_limit_cap = Some(u64::MAX);
            })
            .modify_block_chained(|block| {
                block.gas_limit = u64::MAX;
                block.basefee = 0;
                block.number = U256::from(1);
                block.timestamp = U256::from(1);
            })
            .build_mainnet();
        let calls: Vec<(TxKind, Bytes)> = workload
            .calls
            .iter()
            .map(|call| {
                let kind = call.to.as_deref().map_or(TxKind::Create, |to| TxKind::Call(address(to)));
                (kind, hex::decode(&call.data).unwrap().into())
            })
            .collect();
        let (mut gas, mut output) = (0, Bytes::new());
        let started = cpu_seconds();
        for (nonce, (kind, data)) in calls.into_iter().enumerate() {
            let intrinsic = intrinsic_gas(kind, &data);
            let transaction = TxEnv {
                caller: address(&input.sender),
                gas_limit: input.gas + intrinsic,
                gas_price: 0,
                kind,
                data,
                nonce: nonce as u64,
                chain_id: None,
                ..Default::default()
            };
            let result = evm.transact_commit(transaction).unwrap();
            assert!(result.is_success(), "{name}: {result:?}");
            gas += result.gas().total_gas_spent() - intrinsic;
            output = result.into_output().unwrap_or_default();
        }
        let seconds = cpu_seconds() - started;
        println!("{{\"gas\":{gas},\"seconds\":{seconds},\"output\":\"0x{}\"}}", hex::encode(output));
    }
}
