//! How QUIC connections are configured.

use std::{
    any::Any,
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

use quinn::{
    ServerConfig, TransportConfig,
    congestion::{Bbr, BbrConfig, Controller, ControllerFactory, Cubic, CubicConfig, NewReno, NewRenoConfig},
    crypto::rustls::QuicServerConfig,
};
use rustls::{
    crypto::ring::{default_provider, kx_group},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use crate::options::Options;

/// Longer than any load: over a slow link a response may wait for minutes behind others.
const IDLE: Duration = Duration::from_secs(600);
/// A connection begins with packets of this size (RFC 9000, section 14), and quinn counts its window in bytes.
const PACKET_BYTES: u64 = 1200;

/// Go's HTTP/2 allows the same number of requests at once, so both protocols are comparable on pages with more than 100 requests. quinn's
/// default is 100: the next request would wait until quinn raises this limit.
const REQUESTS_AT_ONCE: u32 = 250;

/// Everything else is quinn's default. Without session tickets and Retry, each connection makes a full handshake.
pub fn configuration(options: &Options) -> Result<ServerConfig, Box<dyn Error>> {
    let mut config = ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(tls(options)?)?));
    let mut transport = TransportConfig::default();
    transport.max_idle_timeout(Some(IDLE.try_into()?));
    transport.max_concurrent_bidi_streams(REQUESTS_AT_ONCE.into());
    transport.congestion_controller_factory(Arc::new(Told(controller(&options.congestion, options.initial_packets)?)));
    config.transport_config(Arc::new(transport));
    Ok(config)
}

fn tls(options: &Options) -> Result<rustls::ServerConfig, Box<dyn Error>> {
    let group = match options.key_exchange.as_str() {
        "x25519" => kx_group::X25519,
        "secp256r1" => kx_group::SECP256R1,
        other => return Err(format!("no key exchange {other}: x25519 and secp256r1 are allowed").into()),
    };
    let mut provider = default_provider();
    provider.kx_groups = vec![group];
    let certificates = CertificateDer::pem_file_iter(&options.certificate)?.collect::<Result<Vec<_>, _>>()?;
    let mut config = rustls::ServerConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(certificates, PrivateKeyDer::from_pem_file(&options.key)?)?;
    config.alpn_protocols = vec![b"h3".to_vec()];
    config.send_tls13_tickets = 0;
    Ok(config)
}

fn controller(name: &str, packets: Option<u64>) -> Result<Arc<dyn ControllerFactory + Send + Sync>, Box<dyn Error>> {
    let mut cubic = CubicConfig::default();
    let mut reno = NewRenoConfig::default();
    let mut bbr = BbrConfig::default();
    if let Some(bytes) = packets.map(|count| count * PACKET_BYTES) {
        cubic.initial_window(bytes);
        reno.initial_window(bytes);
        bbr.initial_window(bytes);
    }
    match name {
        "cubic" => Ok(Arc::new(cubic)),
        "reno" => Ok(Arc::new(reno)),
        "bbr" => Ok(Arc::new(bbr)),
        _ => Err(format!("no congestion control {name}: cubic, reno and bbr are allowed").into()),
    }
}

/// Logs the congestion control and the initial window of each connection, as quinn's controller for the connection reports them.
struct Told(Arc<dyn ControllerFactory + Send + Sync>);

impl ControllerFactory for Told {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        let controller = self.0.clone().build(now, mtu);
        let name = name_of(controller.clone_box());
        eprintln!("connection begins: congestion control {name}, window {} bytes", controller.window());
        controller
    }
}

/// The name of a controller, from its type.
fn name_of(controller: Box<dyn Controller>) -> &'static str {
    let state: Box<dyn Any> = controller.into_any();
    if state.is::<Cubic>() {
        "cubic"
    } else if state.is::<NewReno>() {
        "reno"
    } else if state.is::<Bbr>() {
        "bbr"
    } else {
        "unknown"
    }
}
