//! The responses to requests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use http::{HeaderMap, Method, Response, StatusCode, header, response::Builder};
use percent_encoding::percent_decode_str;

use crate::options::{Imported, Options};

pub struct Pages {
    options: Options,
    root: PathBuf,
}

impl Pages {
    pub fn open(options: Options) -> std::io::Result<Self> {
        let root = fs::canonicalize(&options.root)?;
        Ok(Self { options, root })
    }

    /// Alt-Svc (RFC 7838) is needed: a browser that is forced to use QUIC requests only six objects at a time, as over HTTP/1.1, until a
    /// response has announced HTTP/3.
    pub fn answer(&self, method: &Method, path: &str, fields: &HeaderMap) -> (Builder, Bytes) {
        let mut response = Response::builder()
            .header(header::SERVER, "quinn")
            .header(header::ALT_SVC, format!("h3=\":{}\"", self.options.port));
        if let Some(Imported { header, .. }) = &self.options.imported {
            response = response.header(&header.name, &header.value);
        }
        let path = self.path_of(path);
        let found = if method == Method::GET { self.file(&path, fields) } else { None };
        let Some((body, encoding)) = found else {
            return (response.status(StatusCode::NOT_FOUND).header(header::CONTENT_LENGTH, 0), Bytes::new());
        };
        if let Some(encoding) = encoding {
            response = response.header(header::CONTENT_ENCODING, encoding).header(header::VARY, "accept-encoding");
        }
        let response = response
            .header(header::CONTENT_TYPE, self.type_of(&path))
            .header(header::CONTENT_LENGTH, body.len());
        (response, body.into())
    }

    /// The path of the requested file. For a folder of an imported page, it is the path of the start file.
    fn path_of(&self, path: &str) -> String {
        match &self.options.imported {
            Some(imported) if path.ends_with('/') => format!("{path}{}", imported.start_file),
            _ => path.to_string(),
        }
    }

    /// The file's content and coding: a compressed copy if there is one that the client accepts.
    fn file(&self, path: &str, fields: &HeaderMap) -> Option<(Vec<u8>, Option<&str>)> {
        let copies = self.options.imported.as_ref().and_then(|imported| imported.copies.as_ref());
        let accepted = fields.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
        if let Some(copies) = copies.filter(|copies| accepted.contains(&copies.encoding)) {
            if let Some(body) = self.read(&format!("{path}{}", copies.ending)) {
                return Some((body, Some(&copies.encoding)));
            }
        }
        Some((self.read(path)?, None))
    }

    /// None if the file does not exist, is outside the root, or is reached through a symbolic link.
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let name = percent_decode_str(path).decode_utf8().ok()?;
        let wanted = self.root.join(name.trim_start_matches('/'));
        let real = fs::canonicalize(&wanted).ok()?;
        // Compares texts, because comparing paths would ignore "." and repeated slashes.
        if real.as_os_str() != wanted.as_os_str() || !real.starts_with(&self.root) {
            return None;
        }
        fs::read(real).ok()
    }

    fn type_of(&self, path: &str) -> &str {
        let extension = Path::new(path).extension().and_then(|text| text.to_str()).unwrap_or("").to_lowercase();
        self.options.media_types.get(&extension).unwrap_or(&self.options.other_type)
    }
}
