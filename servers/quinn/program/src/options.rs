//! The configuration that server.ts writes.

use std::collections::HashMap;

use serde::Deserialize;

#[derive(Deserialize)]
pub struct Header {
    pub name: String,
    pub value: String,
}

/// A content coding, and the ending of the names of compressed copies.
#[derive(Deserialize)]
pub struct Copies {
    pub encoding: String,
    pub ending: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Options {
    pub port: u16,
    pub root: String,
    /// PEM files.
    pub certificate: String,
    pub key: String,
    /// "x25519" or "secp256r1"
    pub key_exchange: String,
    /// "cubic", "reno" or "bbr"
    pub congestion: String,
    /// The initial window in packets; quinn's default if absent.
    pub initial_packets: Option<u64>,
    /// File name extension in lower case -> media type.
    pub media_types: HashMap<String, String>,
    pub other_type: String,
    /// Present if the root is an imported page.
    pub imported: Option<Imported>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// The file that a path ending with "/" requests.
    pub start_file: String,
    /// A header of every response.
    pub header: Header,
    pub copies: Option<Copies>,
}
